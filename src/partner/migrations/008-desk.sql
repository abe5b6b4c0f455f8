-- desk

-- Who works at the lender. Passwords are kept as scrypt hashes.
create table staff (
  staff_id uuid primary key,
  email text not null unique,
  name text not null,
  password_hash text not null,
  created_at timestamptz not null
);

-- Who is signed in: the cookie's value as a digest.
create table staff_session (
  session_digest bytea primary key,
  staff_id uuid not null,
  expires_at timestamptz not null
);
