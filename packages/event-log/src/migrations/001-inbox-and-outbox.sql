-- Events of the partner exchange, received and sent. Four tables have no primary key here: the program adds it, with the
-- column that its keys begin with (rule 10 of ARCHITECTURE.md), under PostgreSQL's default name.

-- Received events, byte for byte; never changed. D3 §4.2
create table inbox (
  sender text not null,
  event_id uuid not null,
  event_type text not null,
  case_ref text not null,
  entity_type text not null,
  entity_id text not null,
  entity_version bigint not null,
  -- Digest of the exact bytes. It tells a repeated event from another event with the same ID.
  body_sha256 bytea not null,
  body_sealed bytea not null,
  correlation_id text,
  received_at timestamptz not null,
  primary key (sender, event_id)
);
-- Encrypted bytes do not compress.
alter table inbox alter column body_sealed set storage external;

-- Events not yet applied. A row is inserted with its event and deleted after the event's effect.
create table inbox_waiting (
  sender text not null,
  case_ref text not null,
  entity_type text not null,
  entity_id text not null,
  entity_version bigint not null,
  event_id uuid not null,
  received_at timestamptz not null,
  -- The earliest time at which a worker may claim the event; while a worker holds it, the end of the lease.
  due_at timestamptz not null,
  -- Since when the event waits for an earlier one or fails, and the reason.
  stuck_since timestamptz,
  stuck_because text,
  tries integer not null default 0,
  alerted_at timestamptz,
  primary key (sender, case_ref, entity_type, entity_id, entity_version, event_id)
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
-- Not by due_at, so that a lease updates no index.
create index inbox_waiting_oldest on inbox_waiting (received_at);
create index inbox_waiting_stuck on inbox_waiting (sender, case_ref, entity_version) where stuck_since is not null;

-- The next expected version, by sender and entity. The worker that applies an event locks the row. D3 §2.2
-- Key: case_ref, sender, entity_type, entity_id.
create table inbox_entity (
  tenant_id uuid not null,
  case_ref text not null,
  sender text not null,
  entity_type text not null,
  entity_id text not null,
  next_version bigint not null
) with (fillfactor = 80);

-- The outcome of an event, written in the transaction of its effect. Key: case_ref, sender, event_id.
create table inbox_outcome (
  tenant_id uuid not null,
  case_ref text not null,
  sender text not null,
  event_id uuid not null,
  outcome text not null check (outcome in ('APPLIED', 'FAILED', 'SUPERSEDED')),
  reason text,
  settled_at timestamptz not null
);

-- Events sent or to be sent, as on the wire. D3 §6 rule 8: never discarded.
-- Key: case_ref, event_id. Also unique: case_ref, entity_type, entity_id, entity_version.
create table outbox (
  tenant_id uuid not null,
  case_ref text not null,
  event_id uuid not null,
  -- Events of one destination share its limit of concurrent attempts; the nil UUID if there is only one destination.
  destination_id uuid not null default '00000000-0000-0000-0000-000000000000',
  event_type text not null,
  entity_type text not null,
  entity_id text not null,
  entity_version bigint not null,
  body_sealed bytea not null,
  state text not null check (state in ('PENDING', 'DELIVERED', 'DEAD')),
  -- The time of the next attempt; while a worker holds the event, the end of the lease, which identifies the worker.
  due_at timestamptz check ((due_at is not null) = (state = 'PENDING')),
  attempt integer not null default 0,
  last_answer text,
  last_attempt_at timestamptz,
  delivered_at timestamptz,
  dead_at timestamptz check ((dead_at is not null) = (state = 'DEAD')),
  correlation_id text,
  created_at timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0.02);
alter table outbox alter column body_sealed set storage external;
create index outbox_due on outbox (due_at) where due_at is not null;
create index outbox_dead on outbox (dead_at) where dead_at is not null;
create index outbox_event on outbox (event_id);

-- The last assigned version, by entity. Key: case_ref, entity_type, entity_id.
create table outbox_entity (
  tenant_id uuid not null,
  case_ref text not null,
  entity_type text not null,
  entity_id text not null,
  last_version bigint not null
) with (fillfactor = 80);
