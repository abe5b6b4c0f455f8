-- The return of a receipt that belongs to no loan to the account from which it came.

create table receipt_return (
  -- Our reference at the bank.
  return_id uuid primary key,
  provider text not null,
  receipt_id text not null,
  status text not null check (status in ('ORDERED', 'UNKNOWN', 'SENT', 'PAID', 'FAILED')),
  amount_paise bigint not null check (amount_paise > 0),
  -- Account holder, account number and IFSC, as an officer entered them: the bank's receipts name no account.
  payee_sealed bytea not null,
  bank_reference text check ((bank_reference is not null) = (status = 'PAID')),
  reason_code text,
  sent_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
-- A receipt is returned once. Another return is possible only after one has failed.
create unique index receipt_return_once on receipt_return (provider, receipt_id) where status <> 'FAILED';
create index receipt_return_unfinished on receipt_return (updated_at, return_id) where status in ('ORDERED', 'UNKNOWN', 'SENT');

-- The return that is under way or paid. It excludes a posting, as a posting excludes a return.
alter table bank_receipt
  add column return_id uuid,
  add constraint bank_receipt_posted_or_returned check (payment_id is null or return_id is null);

-- The proposal of a return, which a second person confirms.
create table receipt_return_proposal (
  proposal_id uuid primary key,
  provider text not null,
  receipt_id text not null,
  account_sealed bytea not null,
  reason text not null,
  state text not null check (state in ('WAITING', 'CONFIRMED', 'REFUSED', 'WITHDRAWN', 'EXPIRED')),
  made_by uuid not null,
  maker_known_to uuid[] not null,
  made_at timestamptz not null,
  expires_at timestamptz not null,
  decided_by uuid,
  decided_at timestamptz,
  decision_reason text,
  check ((state = 'WAITING') = (decided_at is null)),
  -- The proposer cannot confirm the return.
  check (state <> 'CONFIRMED' or (decided_by is not null and decided_by <> made_by))
);
create unique index receipt_return_proposal_once on receipt_return_proposal (provider, receipt_id) where state = 'WAITING';
create index receipt_return_proposal_newest on receipt_return_proposal (provider, receipt_id, made_at);
