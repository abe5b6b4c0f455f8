-- The entries that may charge or refund a fee, which each day-end reads.
create index concurrently if not exists ledger_entry_with_fee on ledger_entry (posted_on, case_ref, entry_id)
  where kind in ('DISBURSEMENT', 'FEE_RETURN', 'REVERSAL');
