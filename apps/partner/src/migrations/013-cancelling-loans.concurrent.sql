-- The queue of cancellations, which the overview of the desk counts on each view.
create index concurrently if not exists loan_cancelling on loan (exit_until, case_ref) where exit_until is not null;
