-- loan

-- Until when money closes the loan without the fee, since the borrower asked to leave within the cooling-off period.
alter table loan add column exit_until date;

-- ledger: the fee is given back to a borrower who leaves within the cooling-off period.
alter table ledger_entry drop constraint ledger_entry_kind_check;
alter table ledger_entry add constraint ledger_entry_kind_check
  check (kind in ('DISBURSEMENT', 'ACCRUAL', 'DUE', 'PENALTY', 'RECEIPT', 'REVERSAL', 'AMENDMENT', 'SET_OFF', 'FEE_RETURN'));

-- loan: what interest is earned on, exactly: the principal to come of every day since the row's week began, in paise and days.
alter table installment add column principal_days bigint not null default 0 check (principal_days >= 0);
