-- figures

-- What happened in each half hour, counted: what the console's overview is made of. Days and hours of India, whose offset is
-- five and a half hours, are whole numbers of half hours.
create table figure (
  tenant_id uuid not null,
  name text not null,
  -- HALF_HOUR, or DAY: the sum of a day of India's calendar.
  grain text not null check (grain in ('HALF_HOUR', 'DAY')),
  begins_at timestamptz not null,
  application_id uuid not null,
  product text not null,
  -- A lender or the kind of an event, and an action of the network; empty where the figure has none.
  subject text not null,
  action text not null,
  -- What it came to, or the number of the bucket of a histogram.
  outcome text not null,
  count bigint not null check (count > 0),
  primary key (tenant_id, name, grain, begins_at, application_id, product, subject, action, outcome)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
-- Half hours in which something still waits are counted anew until nothing does.
create index figure_waiting on figure (name, begins_at) where grain = 'HALF_HOUR' and outcome = 'WAITING';

-- Who counted last, for each tenant and history: whoever read before that writes nothing. Under the nil tenant the number
-- that was given last.
create table figure_turn (
  tenant_id uuid not null,
  history text not null,
  turn bigint not null,
  primary key (tenant_id, history)
) with (fillfactor = 50);

-- How far each history is counted; under the nil tenant, for it is one worker's business.
create table figure_progress (
  tenant_id uuid not null check (tenant_id = '00000000-0000-0000-0000-000000000000'),
  history text not null,
  -- What changed before this instant is counted.
  seen_until timestamptz not null,
  -- What happened before it was counted once more, when nothing of it could still be on its way into the database.
  checked_until timestamptz not null,
  primary key (tenant_id, history)
) with (fillfactor = 50);

-- What is new is found by time. A block range index is a few bytes for each megabyte: whoever writes a row adds no entry to
-- it, and rows whose instants change may stay on their page.
create index lifecycle_event_at on lifecycle_event using brin (at) with (pages_per_range = 32, autosummarize = on);
create index network_message_at on network_message using brin (at) with (pages_per_range = 32, autosummarize = on);
create index offer_times on offer using brin (created_at, updated_at) with (pages_per_range = 32, autosummarize = on);
create index webhook_delivery_tried on webhook_delivery using brin (last_attempt_at)
  with (pages_per_range = 32, autosummarize = on);
create index inbox_received on inbox using brin (received_at) with (pages_per_range = 32, autosummarize = on);
create index outbox_times on outbox using brin (created_at, last_attempt_at)
  with (pages_per_range = 32, autosummarize = on);
