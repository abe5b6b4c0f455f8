-- The withdrawal of a consent: a record of its own, since the record of a consent is never changed.
create table consent_withdrawal (
  tenant_id uuid not null,
  journey_id uuid not null,
  consent_id uuid not null,
  channel text not null,
  ip_sealed bytea,
  withdrawn_at timestamptz not null,
  primary key (tenant_id, journey_id, consent_id)
);
