-- The repayment plan of a disbursed loan, from its first change on; until then it follows from the terms.
create table repayment (
  conversation_id uuid not null references conversation,
  number integer not null,
  principal bigint not null,
  interest bigint not null,
  status text not null check (status in ('NOT-PAID', 'PAID', 'DELAYED', 'DEFERRED')),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  primary key (conversation_id, number)
);

-- A payment that a borrower asked for: what it would settle when it was asked for, and whether it was made.
create table service_payment (
  payment_id uuid primary key,
  conversation_id uuid not null references conversation,
  label text not null,
  status text not null check (status in ('OPEN', 'PAID', 'DROPPED')),
  principal bigint not null,
  interest bigint not null,
  late_fee bigint not null,
  charge bigint not null,
  -- The missed instalment that it settles.
  number integer,
  attempt integer not null default 0,
  opened_at timestamptz not null,
  lapses_at timestamptz not null,
  paid_at timestamptz,
  transaction_id text
);
create index service_payment_of on service_payment (conversation_id, opened_at);
create unique index service_payment_open on service_payment (conversation_id, label) where status = 'OPEN';
