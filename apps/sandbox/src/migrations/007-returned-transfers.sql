-- Transfers that the bank gives back after they had succeeded.

alter table bank_transfer add column returned_at timestamptz;

-- The transfer that a credit gives back, and why; null for a payment into the account.
alter table bank_receipt add column return_of text;
alter table bank_receipt add column return_code text;
