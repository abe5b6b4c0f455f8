-- Every key begins with case_ref, so that one server, a cluster and a sharded one run the same code; an inbox is keyed
-- by its message. Columns that end in _sealed hold AES-256-GCM; *_digest columns are keyed digests for look-up.
-- tenant_id belongs to the machinery that both programs share: here it is nobody's, all zeros.

create table job (
  tenant_id uuid not null,
  job_id uuid not null,
  kind text not null,
  key text,
  payload jsonb not null,
  due_at timestamptz not null,
  attempt integer not null default 0,
  last_error text,
  correlation_id text,
  enqueued_at timestamptz not null default now(),
  primary key (tenant_id, job_id),
  unique (tenant_id, kind, key)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index job_due on job (kind, due_at);

-- What was received, as it came; never changed. D3 §4.2
create table inbox (
  sender text not null,
  event_id uuid not null,
  event_type text not null,
  case_ref text not null,
  entity_type text not null,
  entity_id text not null,
  entity_version bigint not null,
  -- Of the exact bytes: the same event again, or another one under its id.
  body_sha256 bytea not null,
  body_sealed bytea not null,
  correlation_id text,
  received_at timestamptz not null,
  primary key (sender, event_id)
);
-- Sealed bytes do not shrink: nothing is won by trying.
alter table inbox alter column body_sealed set storage external;

-- What is not settled yet: arrived with its event, gone after its effect.
create table inbox_waiting (
  sender text not null,
  case_ref text not null,
  entity_type text not null,
  entity_id text not null,
  entity_version bigint not null,
  event_id uuid not null,
  received_at timestamptz not null,
  -- When somebody may look at it; while a worker has it, the end of its lease.
  due_at timestamptz not null,
  -- Since when it waits for what comes before it, or fails; and why.
  stuck_since timestamptz,
  stuck_because text,
  tries integer not null default 0,
  alerted_at timestamptz,
  primary key (sender, case_ref, entity_type, entity_id, entity_version, event_id)
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
-- Not by due_at: a lease then changes no index.
create index inbox_waiting_oldest on inbox_waiting (received_at);
create index inbox_waiting_stuck on inbox_waiting (sender, case_ref, entity_version) where stuck_since is not null;

-- The version that is next, by sender and object; whoever applies locks it. D3 §2.2
create table inbox_entity (
  tenant_id uuid not null,
  case_ref text not null,
  sender text not null,
  entity_type text not null,
  entity_id text not null,
  next_version bigint not null,
  primary key (case_ref, sender, entity_type, entity_id)
) with (fillfactor = 80);

-- What became of an event, written in the transaction of its effect.
create table inbox_outcome (
  tenant_id uuid not null,
  case_ref text not null,
  sender text not null,
  event_id uuid not null,
  outcome text not null check (outcome in ('APPLIED', 'FAILED', 'SUPERSEDED')),
  reason text,
  settled_at timestamptz not null,
  primary key (case_ref, sender, event_id)
);

-- What was sent or is to be sent, as it goes over the wire. D3 §6 rule 8: never discarded.
create table outbox (
  tenant_id uuid not null,
  case_ref text not null,
  event_id uuid not null,
  event_type text not null,
  entity_type text not null,
  entity_id text not null,
  entity_version bigint not null,
  body_sealed bytea not null,
  state text not null check (state in ('PENDING', 'DELIVERED', 'DEAD')),
  -- When it may be tried; while a worker holds it, the end of its lease, by which the worker is known.
  due_at timestamptz check ((due_at is not null) = (state = 'PENDING')),
  attempt integer not null default 0,
  last_answer text,
  last_attempt_at timestamptz,
  delivered_at timestamptz,
  dead_at timestamptz check ((dead_at is not null) = (state = 'DEAD')),
  correlation_id text,
  created_at timestamptz not null,
  primary key (case_ref, event_id),
  unique (case_ref, entity_type, entity_id, entity_version)
) with (autovacuum_vacuum_scale_factor = 0.02);
alter table outbox alter column body_sealed set storage external;
create index outbox_due on outbox (due_at) where due_at is not null;
create index outbox_dead on outbox (dead_at) where dead_at is not null;
create index outbox_event on outbox (event_id);

-- The version that was given last, by object.
create table outbox_entity (
  tenant_id uuid not null,
  case_ref text not null,
  entity_type text not null,
  entity_id text not null,
  last_version bigint not null,
  primary key (case_ref, entity_type, entity_id)
) with (fillfactor = 80);
