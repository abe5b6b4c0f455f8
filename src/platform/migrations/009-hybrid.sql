-- What an integrator knew of a borrower beyond the profile when it began a hybrid journey: kept as it was said.
create table hybrid_prefill (
  tenant_id uuid not null,
  journey_id uuid not null,
  prefill_sealed bytea not null,
  updated_at timestamptz not null,
  primary key (tenant_id, journey_id)
);
