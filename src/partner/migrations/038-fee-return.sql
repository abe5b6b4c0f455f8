-- ledger: at most one return of a fee is in force for a loan. A return counts in its id those that were taken back before it;
-- returns of earlier versions have no number, and "lendloom desk fee-returns" finds the ones made twice.
create unique index ledger_entry_fee_returned_once
  on ledger_entry (case_ref, substring(entry_id from '^fee-return-([0-9]+)-of-')) where kind = 'FEE_RETURN';
