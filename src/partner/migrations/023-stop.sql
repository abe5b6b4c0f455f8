-- case

-- Why an application ended after an offer and before its payout; written with the move that ended it.
create table case_stop (
  case_ref text primary key,
  -- Who or what ended it: a person of the lender, the borrower, a KYC that was rejected, time.
  cause text not null check (cause in ('LENDER', 'BORROWER', 'KYC', 'TIME')),
  reason_code text not null,
  reason_message text,
  -- Somebody of the staff, the rules, or time alone.
  stopped_by text not null,
  stopped_at timestamptz not null
);
