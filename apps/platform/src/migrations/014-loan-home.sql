-- What the borrower sees of a running loan: the components of an amount that the lender asks for, null unless its quote adds
-- up to the amount; and the bank's reference of the payout.
alter table servicing add column interest_paise bigint, add column charges_paise bigint;
alter table offer add column payout_reference text;
