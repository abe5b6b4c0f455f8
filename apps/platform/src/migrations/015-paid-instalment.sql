-- The missed instalment that a servicing operation pays, so that the borrower does not pay it twice before the lender
-- updates its schedule; null for other operations, and without a schedule.
alter table servicing add column serial_number integer;
