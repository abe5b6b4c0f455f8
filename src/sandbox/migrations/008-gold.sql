-- Loans on gold: what a conversation is about, the gold that is pledged, the branch it is brought to, and when.

alter table conversation
  add column product text not null default 'PERSONAL_LOAN' check (product in ('PERSONAL_LOAN', 'GOLD_LOAN')),
  add column gold_milligrams bigint,
  add column gold_purity text,
  add column branch_id text,
  add column visit_at timestamptz;

-- A visit that is booked is waited for.
alter table submission drop constraint submission_outcome_check;
alter table submission add constraint submission_outcome_check check (
  outcome in ('PENDING', 'OFFLINE_PENDING', 'SUCCESS', 'APPROVED', 'COMPLETED', 'REJECTED', 'EXPIRED'));
