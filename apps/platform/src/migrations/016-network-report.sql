-- Reports of network messages to the network's collector, a row per message of the journal; only where one is configured.
create table network_report (
  tenant_id uuid not null,
  journey_id uuid not null,
  message_key uuid not null,
  -- The time of the message.
  at timestamptz not null,
  state text not null default 'WAITING' check (state in ('WAITING', 'REPORTED', 'REFUSED')),
  -- Whether the collector has accepted the message; its answer is still to be reported.
  is_message_accepted boolean not null default false,
  -- When the next attempt is due, or when the lease of a worker ends; null once reported or refused.
  due_at timestamptz,
  attempt integer not null default 0,
  -- The collector's code and path, or why there was no answer.
  note text,
  reported_at timestamptz,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, journey_id, message_key, bucket)
);
create index network_report_due on network_report (due_at) where due_at is not null;
create index network_report_refused on network_report (at) where state = 'REFUSED';
create index network_report_at on network_report using brin (at) with (pages_per_range = 32, autosummarize = on);
