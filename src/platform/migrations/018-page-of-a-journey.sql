-- The browser page that holds the journey now: another one stops when this changes. And where it leads back to at the end.
alter table journey add column page_id text, add column return_url_sealed bytea;
