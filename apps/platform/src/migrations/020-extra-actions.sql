-- What the lender answered to the actions that no published loan flow has, and the borrower's rating.
alter table conversation add column extras jsonb not null default '{}';
