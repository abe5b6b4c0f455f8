-- A loan against mutual funds is offered in the answer to a search, and secured by units that are pledged.

alter table conversation
  -- The offer, a child of the item that was asked about, and how it is carried out.
  add column offered_item_id text,
  add column fulfillment_id text,
  -- The lender's terms with us, which are repeated to it when the loan is taken.
  add column lender_terms jsonb;

alter table offer
  -- What the lender asks to be pledged for all of it, scheme by scheme; empty for other loans.
  add column schemes jsonb not null default '[]',
  -- The units that the borrower pledges.
  add column pledges jsonb not null default '[]';

-- Which page of the lender's it is, where a step has more than one.
alter table step add column heading text;

alter table application alter column products set default '{PERSONAL_LOAN,GOLD_LOAN,LAMF_LOAN}';
update application set products = products || '{LAMF_LOAN}' where not 'LAMF_LOAN' = any (products);
