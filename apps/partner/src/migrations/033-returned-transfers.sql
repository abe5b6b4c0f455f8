-- Transfers that the bank gave back after it had confirmed them.

alter table disbursement drop constraint disbursement_status_check;
alter table disbursement add constraint disbursement_status_check
  check (status in ('ORDERED', 'UNKNOWN', 'SENT', 'DISBURSED', 'RETURNED', 'FAILED'));
alter table disbursement drop constraint disbursement_check;
alter table disbursement add constraint disbursement_check
  check ((bank_reference is not null) = (status in ('DISBURSED', 'RETURNED')));
-- When the bank confirmed a transfer that it gave back later; null for other transfers.
alter table disbursement add column confirmed_at timestamptz;

alter table refund drop constraint refund_status_check;
alter table refund add constraint refund_status_check
  check (status in ('ORDERED', 'UNKNOWN', 'SENT', 'PAID', 'RETURNED', 'FAILED'));
alter table refund drop constraint refund_check;
alter table refund add constraint refund_check check ((bank_reference is not null) = (status in ('PAID', 'RETURNED')));
alter table refund add column confirmed_at timestamptz;

-- Our reference of the transfer that the bank says it gives back, and why; null for money of a borrower.
alter table bank_receipt add column return_of text;
alter table bank_receipt add column return_code text;
-- The transfer that the receipt undid, with its case; null until then, and for other receipts.
alter table bank_receipt add column returned_case_ref text;
alter table bank_receipt add column returned_transfer uuid;
alter table bank_receipt add constraint bank_receipt_returned_check
  check ((returned_transfer is null) = (returned_case_ref is null) and (returned_transfer is null or (payment_id is null and return_id is null)));

-- BANK: the bank gave the payout back.
alter table case_stop drop constraint case_stop_cause_check;
alter table case_stop add constraint case_stop_cause_check check (cause in ('LENDER', 'BORROWER', 'KYC', 'TIME', 'BANK'));
