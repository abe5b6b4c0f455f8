-- Finds the reminders of rows that count from a later day than their due date. Almost all rows count from their due date.
create index concurrently if not exists installment_counts_from on installment (counts_from) where counts_from is not null;
