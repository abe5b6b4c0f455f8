-- How staff sign in, and the end of the log of their acts. The program has the people themselves, and the entries of the log
-- (audit_entry), whose columns differ.

-- Accounts at the OpenID provider for sign-in: each belongs to one person over all tenants, so it is kept under the nil
-- tenant. A person has one account at a provider.
create table person_open_id (
  tenant_id uuid not null check (tenant_id = '00000000-0000-0000-0000-000000000000'),
  issuer text not null,
  -- Digest of the subject at the issuer.
  subject_digest bytea not null,
  link_id uuid not null,
  of_tenant_id uuid not null,
  person_id uuid not null,
  created_at timestamptz not null,
  used_at timestamptz not null,
  primary key (tenant_id, issuer, subject_digest),
  unique (tenant_id, of_tenant_id, person_id, issuer)
);

-- The secret of the second factor, an unconfirmed new secret, the latest time step of a used code, and the time from which the
-- factor is valid for approvals.
create table person_totp (
  tenant_id uuid not null,
  person_id uuid not null,
  totp_sealed bytea,
  totp_pending_sealed bytea,
  totp_step integer not null default 0,
  decides_at timestamptz,
  primary key (tenant_id, person_id)
);

create table person_recovery_code (
  tenant_id uuid not null,
  person_id uuid not null,
  code_digest bytea not null,
  used_at timestamptz,
  primary key (tenant_id, person_id, code_digest)
);

-- A passkey (WebAuthn): the public key of a credential on a person's device, used instead of a password.
create table person_passkey (
  tenant_id uuid not null,
  person_id uuid not null,
  passkey_id uuid not null,
  credential_id text not null,
  public_key bytea not null,
  -- The signature counter of the device; always 0 on a device without one.
  counter bigint not null,
  name text not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (tenant_id, person_id, passkey_id),
  unique (tenant_id, person_id, credential_id)
);

-- Answered challenges; each is accepted once. Open challenges are not stored, because they contain their own proof.
create table passkey_challenge_used (
  tenant_id uuid not null,
  challenge_digest bytea not null,
  expires_at timestamptz not null,
  primary key (tenant_id, challenge_digest)
);

-- Signed-in sessions, by digest of the cookie value.
create table person_session (
  tenant_id uuid not null,
  session_id uuid not null,
  person_id uuid not null,
  digest bytea not null,
  -- Network of the client's IP address, and browser.
  client_sealed bytea not null,
  -- How the session was started, or the proof given since.
  proof text not null check (proof in ('PASSWORD', 'CODE', 'PASSKEY', 'OPENID')),
  created_at timestamptz not null,
  used_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant_id, session_id)
);
create index person_session_of_person on person_session (tenant_id, person_id);

-- Browsers in which a person has signed in, by digest of the cookie value. From these the owner can still sign in while others
-- guess the password.
create table person_device (
  tenant_id uuid not null,
  person_id uuid not null,
  device_digest bytea not null,
  seen_at timestamptz not null,
  primary key (tenant_id, person_id, device_digest)
);

-- Failed sign-ins. LIMITED: the password was not checked.
create table sign_in_failure (
  tenant_id uuid not null,
  failure_id uuid not null,
  -- Null, under the nil tenant, if no account has the email address.
  person_id uuid,
  -- The email address as typed, and the client's IP address.
  detail_sealed bytea not null,
  outcome text not null check (outcome in ('WRONG', 'WRONG_CODE', 'LIMITED',
    'OPENID_UNPROVEN', 'OPENID_UNVERIFIED', 'OPENID_DOMAIN', 'OPENID_UNKNOWN', 'OPENID_OTHER_ACCOUNT')),
  at timestamptz not null,
  primary key (tenant_id, failure_id)
);

-- Wrong passwords and codes, counted across all processes.
create table guess_count (
  tenant_id uuid not null,
  -- The person or account, the kind of secret, and the device if it has its own count.
  subject text not null,
  guesses integer not null,
  -- Attempts before this time are rejected unchecked.
  paused_until timestamptz,
  guessed_at timestamptz not null,
  primary key (tenant_id, subject)
);
create index guess_count_old on guess_count (guessed_at);

-- The end of each tenant's audit log. The writer of an entry locks this row, so that entries form one chain.
create table audit_chain (
  tenant_id uuid not null primary key,
  sequence integer not null,
  digest bytea not null
);
