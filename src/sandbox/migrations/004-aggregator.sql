-- The account aggregator: who may ask it, the consents it keeps, the data sessions that are open.

-- Parties of its directory: lenders (FIU), service providers (LSP), and itself (AA).
create table aa_entity (
  entity_id text primary key,
  type text not null check (type in ('AA', 'FIU', 'LSP')),
  name text not null,
  api_key_digest bytea,
  -- What redirections of this requestor are encrypted with.
  secret_sealed bytea,
  keys jsonb not null,
  updated_at timestamptz not null
);
create index aa_entity_by_key on aa_entity (api_key_digest);

-- The signing keys of the parties that this program plays.
create table aa_signer (
  entity_id text primary key,
  kid text not null,
  private_key_sealed bytea not null,
  created_at timestamptz not null
);

create table aa_consent (
  handle uuid primary key,
  requestor text not null,
  txnid text not null,
  -- The consent detail, which names its customer.
  detail_sealed bytea not null,
  customer_digest bytea not null,
  status text not null check (status in ('PENDING', 'APPROVED', 'REJECTED', 'EXPIRED')),
  expires_at timestamptz not null,
  consent_id uuid unique,
  artefact_status text check (artefact_status in ('ACTIVE', 'REVOKED', 'EXPIRED')),
  signed_consent_sealed bytea,
  created_at timestamptz not null,
  decided_at timestamptz,
  unique (requestor, txnid)
);

create table aa_data_session (
  session_id uuid primary key,
  consent_id uuid not null references aa_consent (consent_id),
  requestor text not null,
  key_material jsonb not null,
  created_at timestamptz not null
);

alter table conversation add column consent_handle text, add column monitoring_handle text;
