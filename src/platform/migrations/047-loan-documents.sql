-- offer

-- What the lender has given the borrower to keep: the agreement, the sanction, how to leave the loan. Whoever has a link reads it.
alter table offer add column documents_sealed bytea;
