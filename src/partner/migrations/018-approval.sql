-- desk

-- Up to which amount somebody in a role does an act alone, and up to which they approve it for others. Without a row: not at all.
create table approval_limit (
  role text not null check (role in ('viewer', 'credit', 'operations', 'collections', 'accounts', 'admin')),
  act text not null check (act in ('OFFER', 'PAYOUT', 'REFUND', 'WAIVER', 'WRITE_OFF', 'REVERSAL')),
  alone_paise bigint not null default 0 check (alone_paise >= 0),
  approve_paise bigint not null default 0 check (approve_paise >= 0),
  primary key (role, act),
  -- Money that is given back or given up is never one person's decision.
  check (alone_paise = 0 or act in ('OFFER', 'PAYOUT'))
);
insert into approval_limit (role, act, alone_paise, approve_paise) values
  ('credit', 'OFFER', 20000000, 100000000),
  ('admin', 'OFFER', 20000000, 1000000000),
  ('operations', 'PAYOUT', 20000000, 100000000),
  ('accounts', 'PAYOUT', 0, 100000000),
  ('admin', 'PAYOUT', 20000000, 1000000000),
  ('operations', 'REFUND', 0, 2500000),
  ('accounts', 'REFUND', 0, 10000000),
  ('admin', 'REFUND', 0, 1000000000),
  ('credit', 'WAIVER', 0, 5000000),
  ('admin', 'WAIVER', 0, 1000000000),
  ('credit', 'WRITE_OFF', 0, 20000000),
  ('admin', 'WRITE_OFF', 0, 1000000000),
  ('operations', 'REVERSAL', 0, 10000000),
  ('accounts', 'REVERSAL', 0, 50000000),
  ('admin', 'REVERSAL', 0, 1000000000);

-- What one person wants done and another decides.
create table approval_request (
  case_ref text not null,
  request_id uuid not null,
  act text not null,
  -- What the act is to be done with.
  payload_sealed bytea not null,
  amount_paise bigint not null check (amount_paise >= 0),
  reason text not null,
  state text not null check (state in ('WAITING', 'APPROVED', 'REFUSED', 'WITHDRAWN', 'EXPIRED')),
  made_by uuid not null,
  made_at timestamptz not null,
  expires_at timestamptz not null,
  decided_by uuid,
  decided_at timestamptz,
  decision_reason text,
  primary key (case_ref, request_id),
  check ((state = 'WAITING') = (decided_at is null)),
  -- Nobody approves what they asked for themselves.
  check (state <> 'APPROVED' or (decided_by is not null and decided_by <> made_by))
);
-- The same thing of a case waits once.
create unique index approval_request_waiting on approval_request (case_ref, act) where state = 'WAITING';
create index approval_request_oldest on approval_request (made_at) where state = 'WAITING';

-- collection

-- A receipt that a person took back from a loan is posted by a person alone, or by a claim that it fits.
alter table bank_receipt add column is_by_hand boolean not null default false;
