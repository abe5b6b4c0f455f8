-- case

-- Who decides what one borrower may have holds this row: of parallel applications of one PAN each sees those before it.
create table borrower_lock (
  pan_digest bytea primary key
);

-- Applicants of whom a check could not say whether they are a known borrower, for people to decide; named by the check's own
-- reference. A check of the same applicant that comes later goes by what was decided.
create table dedupe_review (
  review_id uuid primary key,
  sender text not null,
  case_ref text not null,
  pan_digest bytea not null,
  person_digest bytea not null,
  -- Name, PAN, mobile and date of birth as the check gave them.
  applicant_sealed bytea not null,
  -- The case of the borrower whom they resemble; null where none is.
  existing_case_ref text,
  created_at timestamptz not null,
  decision text check (decision in ('SAME', 'DIFFERENT')),
  reason text,
  decided_by text,
  decided_at timestamptz,
  check ((decision is null) = (decided_at is null) and (decision is null) = (reason is null))
);
create index dedupe_review_open on dedupe_review (created_at) where decision is null;
create index dedupe_review_of on dedupe_review (pan_digest, person_digest);
