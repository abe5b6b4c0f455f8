-- The closing of a month: one person proposes it, another confirms it.

create table month_closing (
  closing_id uuid primary key,
  -- The last day of the month.
  month_end date not null check (month_end = (date_trunc('month', month_end) + interval '1 month - 1 day')::date),
  -- The trial balance at the time of the proposal, as JSON.
  balances text not null,
  -- The steps of the month-end that were open at the time of the proposal.
  open_steps text[] not null,
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
-- A month is closed once, and has one waiting proposal.
create unique index month_closing_once on month_closing (month_end) where state in ('WAITING', 'CONFIRMED');
create index month_closing_newest on month_closing (month_end, made_at);
