-- A class that money of an earlier value date proved wrong stays in the history of its loan.

alter table loan_class
  -- The day-end that replaced the class; null while it counts.
  add column corrected_on date,
  add check (corrected_on is null or until_on is not null);
