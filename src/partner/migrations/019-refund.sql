-- ledger: money is returned, given up and written off; and what comes in for what was written off.
alter table ledger_entry drop constraint ledger_entry_kind_check;
alter table ledger_entry add constraint ledger_entry_kind_check
  check (kind in ('DISBURSEMENT', 'ACCRUAL', 'DUE', 'PENALTY', 'RECEIPT', 'REVERSAL', 'AMENDMENT', 'SET_OFF', 'FEE_RETURN',
    'REFUND', 'REFUND_PAID', 'WAIVER', 'WRITE_OFF', 'RECOVERY'));
-- Who has paid too much is found without reading every posting.
create index ledger_posting_unapplied on ledger_posting (case_ref) where debit = 'UNAPPLIED' or credit = 'UNAPPLIED';

-- loan: since when its claim is written off in the books; the borrower owes it all the same.
alter table loan add column written_off_on date;

-- collection

-- What was paid too much, on its way back to the borrower. Its id is the reference under which the bank knows it.
create table refund (
  case_ref text not null,
  refund_id uuid not null,
  status text not null check (status in ('ORDERED', 'UNKNOWN', 'SENT', 'PAID', 'FAILED')),
  amount_paise bigint not null check (amount_paise > 0),
  -- Holder, number and IFSC of the account that the loan was paid to, and the borrower's PAN.
  payee_sealed bytea not null,
  bank_reference text check ((bank_reference is not null) = (status = 'PAID')),
  reason_code text,
  sent_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (case_ref, refund_id)
);
-- One at a time.
create unique index refund_under_way on refund (case_ref) where status in ('ORDERED', 'UNKNOWN', 'SENT');
create index refund_unfinished on refund (updated_at) where status in ('ORDERED', 'UNKNOWN', 'SENT');
