-- The numbers of invoices, credit notes and debit notes for fees. Their content is in the ledger entries.

create table tax_document (
  kind text not null check (kind in ('INVOICE', 'CREDIT_NOTE', 'DEBIT_NOTE')),
  -- The first calendar year of the financial year.
  financial_year smallint not null,
  -- Begins at 1 in each year, without gaps.
  number integer not null check (number > 0),
  -- The entry that charged or refunded the fee.
  case_ref text not null,
  entry_id text not null,
  -- The posting day of the entry.
  issued_on date not null,
  primary key (kind, financial_year, number)
);
create unique index tax_document_of_entry on tax_document (case_ref, entry_id);
create index tax_document_by_day on tax_document (issued_on, kind, number);
