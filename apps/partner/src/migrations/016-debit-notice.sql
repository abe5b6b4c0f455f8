-- The notice of a debit that the borrower's bank sends 24 hours before, as UPI requires: one for a case and day.
create table debit_notice (
  case_ref text not null,
  collection_on date not null,
  -- The mandate and the amount; null if no debit was planned.
  umrn text,
  amount_paise bigint check (amount_paise > 0),
  state text not null check (state in ('SENT', 'REFUSED', 'NOT_NEEDED')),
  -- The bank's code of a refusal, or why no debit was planned.
  reason_code text check ((reason_code is null) = (state = 'SENT')),
  noticed_at timestamptz not null,
  primary key (case_ref, collection_on),
  check ((umrn is null) = (state = 'NOT_NEEDED')),
  check ((amount_paise is null) = (state = 'NOT_NEEDED'))
);

-- The rail of a mandate, so that the cases whose debits need a notice are found.
alter table case_check add column rail text;
