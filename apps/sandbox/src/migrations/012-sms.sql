-- SMS that the platform sent. The provider's key of a repeated request is the id, so that a message is kept once.
create table sms_message (
  sms_id uuid primary key,
  number_digest bytea not null,
  message_sealed bytea not null,
  at timestamptz not null
);
create index sms_message_newest on sms_message (at desc, sms_id);
