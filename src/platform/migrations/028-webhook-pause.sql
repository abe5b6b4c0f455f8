-- While an endpoint is paused, what is to be delivered to it waits in its order.
alter table webhook_endpoint add column paused_at timestamptz;

-- How often it was tried in all, replays included, and how long the last try took.
alter table webhook_delivery add column tries integer not null default 0;
alter table webhook_delivery add column took_ms integer;
update webhook_delivery set tries = attempt where attempt > 0;

-- The last tries of a delivery. A first try that succeeded has no row: the delivery says all of it.
create table webhook_try (
  tenant_id uuid not null,
  application_id uuid not null,
  delivery_id uuid not null,
  -- From 1; replays count on.
  number integer not null,
  state text not null check (state in ('PENDING', 'DELIVERED', 'EXHAUSTED', 'STOPPED')),
  answer text not null,
  -- The beginning of the answer's body.
  answer_sealed bytea,
  took_ms integer not null,
  at timestamptz not null,
  primary key (tenant_id, application_id, delivery_id, number)
);

-- What an endpoint never got is found without passing over what it got.
create index webhook_delivery_missed on webhook_delivery (tenant_id, destination_id, delivery_id)
  where state in ('EXHAUSTED', 'STOPPED');

-- Many deliveries once more: what was chosen, and how far it is.
create table webhook_replay (
  tenant_id uuid not null,
  replay_id uuid not null,
  -- Which deliveries were chosen.
  filter jsonb not null,
  state text not null check (state in ('RUNNING', 'STOPPED', 'DONE')),
  -- Updates that are made due in a second.
  per_second integer not null check (per_second > 0),
  journeys integer not null,
  updates integer not null,
  journeys_done integer not null default 0,
  updates_done integer not null default 0,
  -- Journeys whose destination was gone or disabled when their turn came.
  journeys_skipped integer not null default 0,
  -- Of the console; null at the command line.
  person_id uuid,
  started_at timestamptz not null,
  ended_at timestamptz check ((ended_at is not null) = (state <> 'RUNNING')),
  primary key (tenant_id, replay_id)
);

-- Journeys whose turn has not come yet.
create table webhook_replay_journey (
  tenant_id uuid not null,
  replay_id uuid not null,
  journey_id uuid not null,
  destination_id uuid not null,
  application_id uuid not null,
  -- From this update on everything is sent again.
  from_sequence integer not null,
  -- Where an update is on its way at the moment, its turn comes later.
  turn_at timestamptz not null,
  primary key (tenant_id, replay_id, journey_id, destination_id)
);
create index webhook_replay_turn on webhook_replay_journey (tenant_id, replay_id, turn_at);
