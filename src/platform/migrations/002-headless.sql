-- The headless door: tokens of borrowers, the version a key speaks, prefill for a journey to come, operations to poll.

-- The version of the headless API that a key spoke first, and speaks unless a request says otherwise.
alter table api_key add column api_version text;

-- A pair of tokens of a borrower. A family is every pair that one bootstrap led to: of it at most one is neither
-- rotated nor revoked.
create table headless_session (
  tenant_id uuid not null,
  session_id text not null,
  session_digest bytea not null,
  refresh_id text not null,
  refresh_digest bytea not null,
  family_id uuid not null,
  application_id uuid not null,
  borrower_id uuid not null,
  api_version text not null,
  created_at timestamptz not null,
  session_expires_at timestamptz not null,
  refresh_expires_at timestamptz not null,
  rotated_at timestamptz,
  revoked_at timestamptz,
  primary key (tenant_id, session_id),
  unique (tenant_id, refresh_id)
) with (autovacuum_vacuum_scale_factor = 0.02);
create index headless_session_family on headless_session (tenant_id, family_id);

-- What an integrator's server said of the borrower when it opened a session, for the next journey.
alter table borrower add column prefill_sealed bytea;

create index journey_of_borrower on journey (tenant_id, borrower_id, journey_id);

-- What an app keeps with a journey for itself: its metadata, and where its screens left off.
create table journey_note (
  tenant_id uuid not null,
  journey_id uuid not null,
  metadata_sealed bytea,
  last_completed_step text,
  last_viewed_offer_id uuid,
  updated_at timestamptz not null,
  primary key (tenant_id, journey_id)
);

-- What was accepted to be done later; how it goes is read off the journey.
create table operation (
  tenant_id uuid not null,
  journey_id uuid not null,
  operation_id uuid not null,
  kind text not null,
  started_at timestamptz not null,
  primary key (tenant_id, journey_id, operation_id)
);
