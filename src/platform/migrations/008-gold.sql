-- A gold loan is appraised and signed at a branch of the lender.

alter table offer
  -- Where the lender takes gold in, as it said; empty where nobody has to go anywhere.
  add column branches jsonb not null default '[]',
  -- The one that the borrower chose, and who waits there.
  add column branch_id text,
  add column agent jsonb,
  -- When the lender said that a visit is booked.
  add column visit_booked_at timestamptz;

-- Named to the lender with the choice of amount and term.
alter table conversation add column branch_id text;

-- Whoever lends personal loans through us lends on gold as well.
alter table application alter column products set default '{PERSONAL_LOAN,GOLD_LOAN}';
update application set products = products || '{GOLD_LOAN}' where not 'GOLD_LOAN' = any (products);
