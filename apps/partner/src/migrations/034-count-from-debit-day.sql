-- A due date on a day without debits: arrears, grace and penal charges count from the next day with debits.

-- Null if the row has not fallen due, or counts from its due date.
alter table installment add column counts_from date check (counts_from > due_on);
-- Whether the row fell due, but is not overdue before the day-end of counts_from.
alter table installment add column is_waiting boolean not null default false
  check (not is_waiting or counts_from is not null);
-- The day from which the arrears of the oldest unpaid row count; null if all are paid, or if next_due_on counts.
alter table loan add column arrears_from date;
