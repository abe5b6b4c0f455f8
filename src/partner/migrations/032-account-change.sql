-- collection

-- The borrower's account where it is another than the lead gave, as two people decided: the newest counts for money to the
-- borrower. Debits go on at the account of the mandate.
create table account_change (
  case_ref text not null,
  number integer not null check (number > 0),
  -- Holder, number and IFSC.
  account_sealed bytea not null,
  approved_by text not null,
  changed_at timestamptz not null,
  primary key (case_ref, number)
);

-- approval: up to which amount of money that would go there, which is nothing for a loan that was paid out and is owed.
alter table approval_limit drop constraint approval_limit_act_check;
alter table approval_limit add constraint approval_limit_act_check
  check (act in ('OFFER', 'PAYOUT', 'REFUND', 'WAIVER', 'WRITE_OFF', 'REVERSAL', 'ACCOUNT'));
insert into approval_limit (role, act, alone_paise, approve_paise) values
  ('operations', 'ACCOUNT', 0, 100000000),
  ('accounts', 'ACCOUNT', 0, 100000000),
  ('admin', 'ACCOUNT', 0, 1000000000);
