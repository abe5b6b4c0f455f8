-- The closing of a bank statement with differences: one person proposes it, another confirms it.

create table bank_statement_closing (
  closing_id uuid primary key,
  statement_id uuid not null,
  -- The number of differences at the time of the proposal, and the digest of their references and amounts.
  differences integer not null check (differences > 0),
  shown text not null,
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
  -- The proposer cannot confirm the closing.
  check (state <> 'CONFIRMED' or (decided_by is not null and decided_by <> made_by))
);
-- A statement is closed once, and has one waiting proposal.
create unique index bank_statement_closing_once on bank_statement_closing (statement_id) where state in ('WAITING', 'CONFIRMED');
create index bank_statement_closing_newest on bank_statement_closing (statement_id, made_at);
