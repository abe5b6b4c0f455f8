-- Work that is due. Deleted when it is done.
create table job (
  tenant_id uuid not null,
  job_id uuid not null,
  kind text not null,
  -- At most one job of a kind has a key; null for jobs that may repeat.
  key text,
  payload jsonb not null,
  due_at timestamptz not null,
  attempt integer not null default 0,
  last_error text,
  correlation_id text,
  enqueued_at timestamptz not null default now(),
  -- Consecutive claims by workers that neither completed nor rescheduled the job: they crashed or hung.
  unanswered_claims integer not null default 0,
  primary key (tenant_id, job_id),
  unique (tenant_id, kind, key)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index job_due on job (kind, due_at);
