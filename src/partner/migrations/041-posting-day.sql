-- ledger

-- The business day in whose books an entry is; business_on is its value date. Books that were reported stay as they were:
-- entries of before are in the books of their value date. The default is for a version that does not know the column.
alter table ledger_entry add column posted_on date;
update ledger_entry set posted_on = business_on;
alter table ledger_entry alter column posted_on set not null,
  alter column posted_on set default ((now() at time zone 'Asia/Kolkata')::date);
create index ledger_entry_by_posting_day on ledger_entry (posted_on, case_ref, entry_id);
drop index ledger_entry_by_day;
