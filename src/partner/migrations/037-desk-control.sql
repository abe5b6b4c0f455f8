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

-- collection

-- Two leftovers of a statement that a person found to be one movement: a line of the bank and an entry of the books.
create table bank_statement_pair (
  statement_id uuid not null,
  pair_id uuid not null,
  bank_reference text not null,
  book_reference text not null,
  paise bigint not null check (paise <> 0),
  reason text not null,
  paired_by uuid not null,
  paired_at timestamptz not null,
  undone_by uuid,
  undone_at timestamptz,
  primary key (statement_id, pair_id),
  check ((undone_at is null) = (undone_by is null))
);
create unique index bank_statement_pair_line on bank_statement_pair (statement_id, bank_reference) where undone_at is null;
create unique index bank_statement_pair_entry on bank_statement_pair (statement_id, book_reference) where undone_at is null;

-- Once a statement is closed nobody pairs or undoes anything of it.
alter table bank_statement
  add column closed_at timestamptz,
  add column closed_by uuid,
  add check ((closed_at is null) = (closed_by is null));
