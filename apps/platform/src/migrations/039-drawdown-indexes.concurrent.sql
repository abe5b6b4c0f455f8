-- A lender's message about a drawdown names only its transaction.
create index concurrently if not exists conversation_by_transaction on conversation (transaction_id)
  where transaction_id is not null;
-- The bank's reference of a payout is what a borrower or a lender asks about.
create index concurrently if not exists drawdown_by_reference on drawdown (tenant_id, payout_reference)
  where payout_reference is not null;
