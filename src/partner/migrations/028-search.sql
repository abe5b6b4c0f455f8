-- case

-- By what somebody finds a case that knows a person: keyed digests of the words of names, mobile, PAN, e-mail, account,
-- registrations of the business and references of providers. Nothing can be read out of them.
create table case_search_key (
  case_ref text not null,
  kind text not null check (kind in ('name', 'mobile', 'pan', 'email', 'account', 'registration', 'reference')),
  digest bytea not null,
  primary key (case_ref, kind, digest)
);
create index case_search_key_by_digest on case_search_key (digest, case_ref);
-- Leads of before have none until the worker has made them.
alter table case_lead add column has_search_keys boolean not null default false;
create index case_lead_without_keys on case_lead (case_ref) where not has_search_keys;

-- Numbers that name no person, as they are kept.
create index case_file_by_lead on case_file (lead_id);
create index case_file_by_loan on case_file (loan_id);

-- collection
create index payment_by_id on payment (payment_id);
create index payment_by_claim on payment (claim_reference) where claim_reference is not null;
create index payment_by_bank_reference on payment (bank_reference) where bank_reference is not null;
create index disbursement_by_id on disbursement (disbursement_id);
create index disbursement_by_bank_reference on disbursement (bank_reference) where bank_reference is not null;
create index refund_by_id on refund (refund_id);
create index refund_by_bank_reference on refund (bank_reference) where bank_reference is not null;
create index bank_receipt_by_id on bank_receipt (receipt_id);
