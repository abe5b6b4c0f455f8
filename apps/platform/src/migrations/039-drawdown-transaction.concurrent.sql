-- A lender's message about a drawdown names only its transaction.
create index concurrently if not exists conversation_by_transaction on conversation (transaction_id)
  where transaction_id is not null;
