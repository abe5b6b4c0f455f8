-- A lender may make two offers in one transaction, each on an item of its own: what has to be known to ask for the second
-- one, and what an offer was decided by.
alter table conversation
  add column second_item_id text,
  add column profile_form_id text,
  add column profile_submission_id text;
alter table offer add column assessment text check (assessment in ('bureau', 'account-aggregator'));
