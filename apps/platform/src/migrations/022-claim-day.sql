-- The day of the payment as the borrower reported it; null without a report.

alter table servicing add column claimed_on date;
