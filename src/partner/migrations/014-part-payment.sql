-- loan

-- The regular instalment as it is now: a part payment may lower it. Before this there was none, so it is that of the terms.
alter table loan add column installment_paise bigint;
update loan set installment_paise = (terms->>'installmentPaise')::bigint;
alter table loan alter column installment_paise set not null;
alter table loan add check (installment_paise > 0);
-- What the borrower wants when principal is repaid early: the same instalment for a shorter time, or less over the same term.
alter table loan add column part_payment_keeps text not null default 'INSTALLMENT'
  check (part_payment_keeps in ('INSTALLMENT', 'TERM'));

-- collection

-- The borrower said that it is to repay principal, however little it is.
alter table payment add column is_part_payment boolean not null default false;
