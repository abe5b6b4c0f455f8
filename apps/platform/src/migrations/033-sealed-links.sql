-- The address of a lender's or provider's page opens the page without sign-in, so a reader of the database could act as the
-- borrower. New rows have it sealed. The workers seal the addresses of earlier rows, because SQL has no key.

alter table step add column resource_url_sealed bytea;
alter table servicing add column url_sealed bytea;
alter table conversation add column form_url_sealed bytea, add column profile_form_url_sealed bytea;
