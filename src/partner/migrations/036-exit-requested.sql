-- loan: on which day the borrower asked to leave within the cooling-off period, and where that can be read: a complaint or a
-- message, by its number. Exits of before have neither.
alter table loan
  add column exit_requested_on date check (exit_requested_on >= disbursed_on),
  add column exit_reference text check (exit_reference ~ '^[A-Za-z0-9][A-Za-z0-9/._-]{2,59}$');
