-- The differences that a person accepted when the statement was closed: references with the totals of the bank and of
-- the books in paise. Null for an open statement, and for one that was closed before this column existed.

alter table bank_statement add column closing_differences jsonb check (closing_differences is null or closed_at is not null);
