-- What people of the console write about a journey for their colleagues.
create table staff_note (
  tenant_id uuid not null,
  journey_id uuid not null,
  note_id uuid not null,
  person_id uuid not null,
  -- Written by somebody of the platform: the tenant's people do not see it.
  is_platform boolean not null,
  text_sealed bytea not null,
  at timestamptz not null,
  primary key (tenant_id, journey_id, note_id)
);
