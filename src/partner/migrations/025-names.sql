-- collection

-- Names of a borrower and of the owner of their account that a rule cannot compare for sure, for a person to decide. The
-- transfer waits for it; the same two names of the same case are decided once.
create table name_review (
  case_ref text not null,
  -- Digest of both names and the account.
  names_digest bytea not null,
  -- Both names.
  names_sealed bytea not null,
  created_at timestamptz not null,
  decision text check (decision in ('SAME', 'DIFFERENT')),
  reason text,
  decided_by text,
  decided_at timestamptz,
  primary key (case_ref, names_digest),
  check ((decision is null) = (decided_at is null) and (decision is null) = (reason is null))
);
create index name_review_open on name_review (case_ref) where decision is null;
