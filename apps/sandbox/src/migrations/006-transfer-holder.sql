-- The lender from whose account a transfer was paid. The first lender has no name.
alter table bank_transfer add column holder text not null default '';
