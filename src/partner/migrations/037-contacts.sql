-- collection

-- A contact has its own time, which may be earlier than that of the note, and the rule that it broke, if it broke one.
alter table contact_note add column noted_at timestamptz;
update contact_note set noted_at = contacted_at;
alter table contact_note
  alter column noted_at set not null,
  add constraint contact_note_past check (contacted_at <= noted_at),
  add column breach text check (breach in ('OUTSIDE_HOURS', 'AGENT_UNKNOWN'));

-- What a borrower was sent of the agent who works on their arrears: by mail, or by a letter that somebody posted.
create table agent_notice (
  case_ref text not null,
  staff_id uuid not null,
  state text not null check (state in ('QUEUED', 'TRIED', 'SENT', 'FAILED')),
  answer text,
  queued_at timestamptz not null,
  settled_at timestamptz,
  primary key (case_ref, staff_id)
);

-- case

-- What is asked for: it counts against what the borrower may have until an offer says another amount. Cases of before have none.
alter table case_file add column requested_paise bigint check (requested_paise >= 0);
