-- Money that a borrower takes from an open credit line. On the network a drawdown is a conversation with the lender of the line, in
-- a transaction of its own; both rows have the same id.
create table drawdown (
  tenant_id uuid not null,
  journey_id uuid not null,
  drawdown_id uuid not null,
  status text not null,
  requested_paise bigint not null,
  -- The lender's terms; null before it has stated them.
  principal_paise bigint,
  interest_paise bigint,
  charges_paise bigint,
  total_paise bigint,
  interest_rate text,
  terms_until timestamptz,
  -- The last digits of the account that the terms name, and of the one that was paid; what was paid, and the bank's reference.
  account_ending text,
  paid_account_ending text,
  paid_paise bigint,
  payout_reference text,
  -- Why it came to nothing, as a code.
  reason text,
  requested_at timestamptz not null,
  agreed_at timestamptz,
  paid_out_at timestamptz,
  updated_at timestamptz not null,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, journey_id, drawdown_id, bucket)
);
-- The next one follows when the lender has paid out, or the borrower or the lender has ended the one before.
create unique index drawdown_open on drawdown (tenant_id, journey_id, bucket)
  where status in ('REQUESTED', 'TERMS_READY', 'AGREED');

-- Null for the transaction of the journey.
alter table conversation add column transaction_id uuid;
