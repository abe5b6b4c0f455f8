-- Notices of debits that the bank sent to borrowers. UPI requires one 24 hours before each debit.
create table bank_debit_notice (
  umrn text not null,
  collection_on date not null,
  amount_paise bigint not null check (amount_paise > 0),
  sent_at timestamptz not null,
  primary key (umrn, collection_on)
);

-- A borrower can pause a UPI mandate.
alter table bank_mandate drop constraint bank_mandate_status_check,
  add constraint bank_mandate_status_check check (status in ('ACTIVE', 'PAUSED', 'CANCELLED'));
