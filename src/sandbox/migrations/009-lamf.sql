-- Loans against mutual funds: where a buyer app is that has no port in its address, and the units that are pledged.

alter table conversation drop constraint conversation_product_check;
alter table conversation add constraint conversation_product_check
  check (product in ('PERSONAL_LOAN', 'GOLD_LOAN', 'LAMF'));
alter table conversation add column bap_address text;

-- What is asked for in the offer, and what the borrower chose to pledge of it.
create table pledge (
  conversation_id uuid primary key references conversation,
  offered_sealed bytea not null,
  chosen_sealed bytea
);
