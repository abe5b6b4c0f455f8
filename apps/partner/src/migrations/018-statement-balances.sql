-- The account and the balances of a statement in a file; null if the file has none, or several accounts.

alter table bank_statement
  add column account text,
  add column opening_paise bigint,
  add column closing_paise bigint;
