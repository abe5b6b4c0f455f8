-- How we answered the callbacks of lenders, by half hour. Each process adds its counts, all under the nil tenant.
create table network_answer (
  tenant_id uuid not null,
  begins_at timestamptz not null,
  action text not null,
  -- FAILED: our server could not answer with ACK or NACK in time.
  outcome text not null check (outcome in ('ACK', 'NACK', 'FAILED')),
  -- The answer took at most these milliseconds; the last bound also counts longer ones.
  within_ms integer not null,
  count bigint not null,
  primary key (tenant_id, begins_at, action, outcome, within_ms)
);
