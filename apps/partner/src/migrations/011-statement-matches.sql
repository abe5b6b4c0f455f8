-- A match of one reference with several of the other side has a row for each of the several, with its amount. Only the
-- first row has the one reference; the others refer to the first row.

alter table bank_statement_pair
  add column part_of uuid,
  alter column bank_reference drop not null,
  alter column book_reference drop not null,
  add constraint bank_statement_pair_reference check (num_nonnulls(bank_reference, book_reference) = 2
    or (num_nonnulls(bank_reference, book_reference) = 1 and part_of is not null));
