-- Files that are in the file store, or about to be, before their row in stored_document is committed. A row that is still here
-- after a day belongs to an upload that failed in between; the file is then deleted.
create table unrecorded_object (
  case_ref text not null,
  -- The name in the file store.
  object_name text not null,
  noted_at timestamptz not null,
  primary key (case_ref, object_name)
);
