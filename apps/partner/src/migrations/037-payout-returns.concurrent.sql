-- The few returned payouts of a day, which each batch of a day-end reads.
create index concurrently if not exists ledger_entry_payout_return on ledger_entry (posted_on, case_ref)
  where kind = 'PAYOUT_RETURN';
