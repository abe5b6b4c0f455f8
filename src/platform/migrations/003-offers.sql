-- What a borrower says about an offer before, with and after the choice, whichever door it is said at.

alter table offer
  -- The amount to ask for when this offer is chosen; null for all of it.
  add column asked_amount_paise bigint,
  -- Where the choice was made: hosted, headless, sandbox.
  add column lock_source text,
  -- How far the borrower had come, and why it was turned down, in the app's or the borrower's words.
  add column rejected_stage text,
  add column rejected_because text;
