-- desk

-- What colleagues should know of a case.
create table case_note (
  case_ref text not null,
  note_id uuid not null,
  text_sealed bytea not null,
  staff_id uuid not null,
  noted_at timestamptz not null,
  primary key (case_ref, note_id)
);

-- What somebody is to do about a case, until a day.
create table case_task (
  case_ref text not null,
  task_id uuid not null,
  text_sealed bytea not null,
  assignee uuid not null,
  due_on date not null,
  made_by uuid not null,
  made_at timestamptz not null,
  done_by uuid,
  done_at timestamptz,
  primary key (case_ref, task_id),
  check ((done_by is null) = (done_at is null))
);
create index case_task_open on case_task (assignee, due_on) where done_at is null;
