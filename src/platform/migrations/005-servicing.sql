-- servicing

-- What a borrower asked of the lender after disbursal, and the payment that came of it.
create table servicing (
  tenant_id uuid not null,
  journey_id uuid not null,
  operation_id uuid not null,
  kind text not null,
  status text not null,
  -- What the borrower wants to repay early, and what the lender asks for.
  requested_paise bigint,
  amount_paise bigint,
  -- The payment as the lender names it, and its page while it is open.
  payment_id text,
  url text,
  transaction_id text,
  -- Why it came to nothing, in words for the borrower.
  reason text,
  -- How often the lender was asked; 0 while it waits for its turn.
  asks smallint not null default 0,
  requested_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, journey_id, operation_id)
);
create unique index servicing_open on servicing (tenant_id, journey_id, kind) where status in ('REQUESTED', 'LINK_READY');

-- When the loan was repaid (D2 §2.2 CLOSED).
alter table journey add column closed_at timestamptz;
