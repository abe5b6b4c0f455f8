-- staff

-- Who signs in to the console: people of a tenant and, under the nil tenant, people of the platform.
create table person (
  tenant_id uuid not null,
  person_id uuid not null,
  email_digest bytea not null,
  -- E-mail address and name.
  identity_sealed bytea not null,
  role text not null check (case when tenant_id = '00000000-0000-0000-0000-000000000000'
    then role in ('viewer', 'operator', 'grievance-officer', 'admin')
    else role in ('viewer', 'developer', 'support', 'admin') end),
  password_hash text not null,
  -- The secret of the second factor, one that is not confirmed yet, and the newest time step of which a code was used.
  totp_sealed bytea,
  totp_pending_sealed bytea,
  totp_step integer not null default 0,
  created_at timestamptz not null,
  removed_at timestamptz,
  primary key (tenant_id, person_id)
);

-- Whose an e-mail address is: of one person over all tenants, so it is kept under the nil tenant.
create table person_email (
  tenant_id uuid not null check (tenant_id = '00000000-0000-0000-0000-000000000000'),
  email_digest bytea not null,
  of_tenant_id uuid not null,
  person_id uuid not null,
  primary key (tenant_id, email_digest)
);

create table person_recovery_code (
  tenant_id uuid not null,
  person_id uuid not null,
  code_digest bytea not null,
  used_at timestamptz,
  primary key (tenant_id, person_id, code_digest)
);

-- Who is signed in: the cookie's value as a digest.
create table person_session (
  tenant_id uuid not null,
  session_id uuid not null,
  person_id uuid not null,
  digest bytea not null,
  -- The network of its address, and its browser.
  client_sealed bytea not null,
  created_at timestamptz not null,
  used_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant_id, session_id)
);
create index person_session_of_person on person_session (tenant_id, person_id);

-- Browsers in which somebody has signed in: the cookie's value as a digest. From one of them its owner still gets in while
-- others guess at the same address.
create table person_device (
  tenant_id uuid not null,
  person_id uuid not null,
  device_digest bytea not null,
  seen_at timestamptz not null,
  primary key (tenant_id, person_id, device_digest)
);

-- Tries to sign in that failed. `outcome` is WRONG, WRONG_CODE, or LIMITED where the password was not looked at.
create table sign_in_failure (
  tenant_id uuid not null,
  failure_id uuid not null,
  -- Null, under the nil tenant, where the address is nobody's.
  person_id uuid,
  -- E-mail address as it was typed, and address of the caller.
  detail_sealed bytea not null,
  outcome text not null check (outcome in ('WRONG', 'WRONG_CODE', 'LIMITED')),
  at timestamptz not null,
  primary key (tenant_id, failure_id)
);

create table person_invitation (
  tenant_id uuid not null,
  invitation_id uuid not null,
  digest bytea not null,
  email_digest bytea not null,
  identity_sealed bytea not null,
  role text not null,
  -- Null at the command line.
  invited_by uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  withdrawn_at timestamptz,
  primary key (tenant_id, invitation_id)
);
create index person_invitation_open on person_invitation (tenant_id, email_digest)
  where accepted_at is null and withdrawn_at is null;

-- The end of each tenant's audit log: whoever adds an entry holds it, so that entries are in one line.
create table audit_chain (
  tenant_id uuid not null primary key,
  sequence integer not null,
  digest bytea not null
);

-- Everything that people did. `digest` is SHA-256 of the digest of the entry before and of this one's canonical JSON.
create table audit_entry (
  tenant_id uuid not null,
  sequence integer not null,
  at timestamptz not null,
  -- Null at the command line.
  person_id uuid,
  act text not null,
  subject text,
  -- Canonical JSON, kept as the text that was digested.
  detail text not null,
  digest bytea not null,
  primary key (tenant_id, sequence)
);

-- What somebody signs in with instead of a password: the public key of a credential on their device (WebAuthn).
create table person_passkey (
  tenant_id uuid not null,
  person_id uuid not null,
  passkey_id uuid not null,
  credential_id text not null,
  public_key bytea not null,
  -- As the device counts its signatures; 0 for ever on one that does not.
  counter bigint not null,
  name text not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (tenant_id, person_id, passkey_id),
  unique (tenant_id, person_id, credential_id)
);

-- Challenges that were answered: each one once. Those that were not are kept nowhere: they carry their own proof.
create table passkey_challenge_used (
  tenant_id uuid not null,
  challenge_digest bytea not null,
  expires_at timestamptz not null,
  primary key (tenant_id, challenge_digest)
);
