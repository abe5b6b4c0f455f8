-- desk

-- Browsers in which staff have signed in: the cookie's value as a digest. From one of them its owner still gets in while
-- others guess at the same name.
create table staff_device (
  device_digest bytea primary key,
  staff_id uuid not null,
  seen_at timestamptz not null
);
create index staff_device_of_staff on staff_device (staff_id);

-- Tries to sign in that failed. `outcome` is WRONG, or LIMITED where the password was not looked at.
create table staff_sign_in_failure (
  failure_id uuid primary key,
  -- As it was typed, of whoever it may be.
  email text not null,
  -- Null where nobody works under that address.
  staff_id uuid,
  address text not null,
  outcome text not null,
  at timestamptz not null
);
create index staff_sign_in_failure_newest on staff_sign_in_failure (at, failure_id);
