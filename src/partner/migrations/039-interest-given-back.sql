-- loan

-- Interest of a row that was given back as principal, as the lender learnt late of money that repaid some. What was given back
-- before is posted to no row.
alter table installment add column interest_given_back_paise bigint not null default 0 check (interest_given_back_paise >= 0);
