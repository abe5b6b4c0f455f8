-- What the network's collector got: a row per record, by the message that it reports.
create table collected_report (
  message_id text not null,
  type text not null,
  bpp_id text not null,
  transaction_id text not null,
  -- The path and message of the first fault; null once accepted.
  fault text,
  times integer not null default 1,
  received_at timestamptz not null,
  primary key (message_id, type, bpp_id)
);
