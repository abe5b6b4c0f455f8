-- ledger

-- What happened to the money of a case. Entries are added, never changed; a correction is an entry that takes another back.
create table ledger_entry (
  case_ref text not null,
  -- Says what it is, and so refuses to happen twice: disbursement, due-7, penalty-7-1, receipt-<payment>, reversal-<payment>.
  entry_id text not null,
  kind text not null check (kind in ('DISBURSEMENT', 'DUE', 'PENALTY', 'RECEIPT', 'REVERSAL', 'AMENDMENT')),
  business_on date not null,
  -- The entry that this one takes back, posting by posting.
  reverses text,
  posted_at timestamptz not null,
  primary key (case_ref, entry_id),
  check ((reverses is not null) = (kind = 'REVERSAL'))
);
create unique index ledger_entry_reversed_once on ledger_entry (case_ref, reverses) where reverses is not null;

-- One amount that leaves one account and enters another: no entry can be out of balance, as every line of it is in balance.
create table ledger_posting (
  case_ref text not null,
  entry_id text not null,
  line smallint not null,
  debit text not null,
  credit text not null,
  -- The row of the schedule it is about; 0 when it is about none.
  installment smallint not null,
  paise bigint not null check (paise > 0),
  primary key (case_ref, entry_id, line),
  check (debit <> credit)
);
