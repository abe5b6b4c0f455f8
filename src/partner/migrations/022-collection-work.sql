-- collection

-- Who of the staff works on the arrears of a case.
create table collection_agent (
  case_ref text primary key,
  staff_id uuid not null,
  assigned_at timestamptz not null
);
create index collection_agent_cases on collection_agent (staff_id, case_ref);

-- What borrowers promised to pay, and until when. Kept or broken is decided by what came in until the day's end.
create table payment_promise (
  case_ref text not null,
  promise_id uuid not null,
  amount_paise bigint not null check (amount_paise > 0),
  promised_on date not null,
  state text not null default 'OPEN' check (state in ('OPEN', 'KEPT', 'BROKEN')),
  -- What came in since the promise was made, when it was decided.
  received_paise bigint,
  made_by uuid not null,
  made_at timestamptz not null,
  decided_at timestamptz,
  primary key (case_ref, promise_id),
  check ((state = 'OPEN') = (decided_at is null))
);
create unique index payment_promise_open on payment_promise (case_ref) where state = 'OPEN';
create index payment_promise_due on payment_promise (promised_on) where state = 'OPEN';

-- Each contact with a borrower about what is owed, in the words of whoever had it.
create table contact_note (
  case_ref text not null,
  note_id uuid not null,
  way text not null check (way in ('CALL', 'VISIT', 'MESSAGE', 'POST', 'OTHER')),
  outcome text not null check (outcome in ('REACHED', 'NOT_REACHED', 'WRONG_NUMBER', 'REFUSED')),
  text_sealed bytea not null,
  staff_id uuid not null,
  contacted_at timestamptz not null,
  primary key (case_ref, note_id)
);

-- Reminders by mail, each once for an instalment and kind, whatever becomes of it.
create table reminder (
  case_ref text not null,
  number integer not null,
  kind text not null,
  state text not null check (state in ('QUEUED', 'TRIED', 'SENT', 'FAILED')),
  answer text,
  queued_at timestamptz not null,
  settled_at timestamptz,
  primary key (case_ref, number, kind)
);
