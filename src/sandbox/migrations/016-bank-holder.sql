-- bank

-- Whose account it is: the bank keeps those of several lenders, and a lender is told of its own alone. The first one has no name.
alter table bank_debit add column holder text not null default '';
alter table bank_receipt add column holder text not null default '';
