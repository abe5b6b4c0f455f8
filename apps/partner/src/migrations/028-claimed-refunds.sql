-- The part of a row's principal that the borrower owes because a refund was paid of money that the bank took back.

alter table installment add column claimed_paise bigint not null default 0 check (claimed_paise >= 0);
