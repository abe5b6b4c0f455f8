-- ledger: interest is booked as it accrues, at the end of a month and at every event of the loan.
alter table ledger_entry drop constraint ledger_entry_kind_check;
alter table ledger_entry add constraint ledger_entry_kind_check
  check (kind in ('DISBURSEMENT', 'ACCRUAL', 'DUE', 'PENALTY', 'RECEIPT', 'REVERSAL', 'AMENDMENT', 'SET_OFF'));

-- loan

-- Interest of a row that was booked before it fell due, and until which day.
alter table installment add column accrued_paise bigint not null default 0 check (accrued_paise >= 0);
alter table installment add column accrued_on date;
