-- alert

-- When a tenant is told that one of its webhook endpoints fails, and whom; without a row the defaults hold.
create table webhook_alert_setting (
  tenant_id uuid primary key,
  enabled boolean not null,
  -- Tries that failed since the last success.
  failures integer not null check (failures between 1 and 1000),
  -- How long an update that was tried may wait.
  waiting_minutes integer not null check (waiting_minutes between 1 and 10080),
  -- Addresses; null for the admins and developers of the tenant.
  emails_sealed bytea,
  -- Endpoints that are told by a signed event.
  endpoint_ids uuid[] not null,
  updated_at timestamptz not null
);

-- Since when an endpoint fails, as its tenant was told; until when, once it works again.
create table webhook_outage (
  tenant_id uuid not null,
  outage_id uuid not null,
  endpoint_id uuid not null,
  why text not null check (why in ('FAILURES', 'WAITING', 'DISABLED')),
  failures integer not null,
  waiting_since timestamptz,
  last_answer text,
  began_at timestamptz not null,
  ended_at timestamptz,
  primary key (tenant_id, outage_id)
);
create unique index webhook_outage_open on webhook_outage (tenant_id, endpoint_id) where ended_at is null;
