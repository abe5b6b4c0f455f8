-- The last day on which a payment completes the cancellation that a complaint requests; null for other complaints.

alter table complaint add column exit_pay_by date;
