-- The version that a lender chose with its catalogue, null for the version of the search; and the submissions of its earlier forms,
-- because lenders of 2.0.1 report a page without the form's id.
alter table conversation
  add column version text,
  add column answered_submissions text[] not null default '{}';
