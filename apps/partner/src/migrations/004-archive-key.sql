-- The archive: bodies of settled events move to objects after some months. The rows stay, without the bodies.

-- The key that opens the objects of a case.
create table archive_key (
  case_ref text not null primary key,
  key_sealed bytea not null,
  -- When more may be archived; null once the loan has ended and all of it is archived.
  due_at timestamptz
);
create index archive_key_due on archive_key (due_at) where due_at is not null;

create table archive_part (
  case_ref text not null,
  number integer not null,
  object_name text not null,
  rows integer not null,
  bytes integer not null,
  archived_at timestamptz not null,
  primary key (case_ref, number)
);
