-- What a payment after disbursal came to: a lender may say that another amount was paid than its page had asked for.
alter table servicing add column paid_paise bigint;
