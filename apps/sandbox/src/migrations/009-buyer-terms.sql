-- The terms of the buyer app, which the order of a loan with stops repeats; null before its confirmation, and for other loans.
alter table conversation add column buyer_terms jsonb;
