-- ledger: money beyond the schedule is set off against rows that opened again.
alter table ledger_entry drop constraint ledger_entry_kind_check;
alter table ledger_entry add constraint ledger_entry_kind_check
  check (kind in ('DISBURSEMENT', 'DUE', 'PENALTY', 'RECEIPT', 'REVERSAL', 'AMENDMENT', 'SET_OFF'));
