-- The archive: sealed values of settled rows move to objects after some months. The rows stay, without the values.

-- The key that opens the objects of a journey. An erasure deletes it, which makes every copy of the objects unreadable.
create table archive_key (
  tenant_id uuid not null,
  journey_id uuid not null,
  key_sealed bytea not null,
  -- When more may be archived; null once the journey has ended and all of it is archived.
  due_at timestamptz,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, journey_id, bucket)
);
create index archive_key_due on archive_key (due_at) where due_at is not null;

create table archive_part (
  tenant_id uuid not null,
  journey_id uuid not null,
  number integer not null,
  object_name text not null,
  rows integer not null,
  bytes integer not null,
  archived_at timestamptz not null,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, journey_id, number, bucket)
);

-- Null once the value is archived.
alter table network_message alter column body_sealed drop not null;
alter table webhook_delivery alter column body_sealed drop not null;
alter table lifecycle_event alter column payload_sealed drop not null;
