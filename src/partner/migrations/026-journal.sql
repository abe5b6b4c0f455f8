-- journal

-- The journal of a period, in the order of its days, read page by page.
create index ledger_entry_by_day on ledger_entry (business_on, case_ref, entry_id);
