-- A lender may not know the borrower by the handle it was given: its consent waits until another one is named, and the
-- profile form is sent again with it.
alter table aa_session
  alter column consent_handle drop not null,
  add column handle_wanted boolean not null default false;
alter table conversation add column profile_form_url text;
