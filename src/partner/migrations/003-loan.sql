-- loan

create table loan (
  case_ref text primary key,
  loan_id text not null,
  loan_account_id text not null,
  status text not null check (status in ('ACTIVE', 'OVERDUE', 'CLOSED', 'CANCELLED')),
  terms jsonb not null,
  -- What the bank transferred, and how it can be proved. D3 §1.1 rule 6
  disbursed_paise bigint not null check (disbursed_paise > 0),
  disbursed_on date not null,
  bank_reference text not null,
  schedule_version integer not null default 1,
  schedule_updated_at timestamptz not null,
  -- The next business day whose end changes something here; null when nothing is to come.
  next_work_on date,
  -- When the oldest row that is not settled is due; null when all are.
  next_due_on date,
  opened_at timestamptz not null,
  updated_at timestamptz not null
) with (fillfactor = 80);
create index loan_next_work on loan (next_work_on, case_ref) where next_work_on is not null;
create index loan_next_due on loan (next_due_on, case_ref) where next_due_on is not null;

-- A row of the current schedule and what was paid of it: sums of the ledger's postings, kept beside them for the day's end
-- and proved equal to them on every read. A penal charge is owed with its row but is no part of the row's amount.
create table installment (
  case_ref text not null,
  number smallint not null check (number > 0),
  due_on date not null,
  penalty_paise bigint not null default 0 check (penalty_paise >= 0),
  charges_paise bigint not null check (charges_paise >= 0),
  interest_paise bigint not null check (interest_paise >= 0),
  principal_paise bigint not null check (principal_paise >= 0),
  penalty_paid_paise bigint not null default 0 check (penalty_paid_paise between 0 and penalty_paise),
  charges_paid_paise bigint not null default 0 check (charges_paid_paise between 0 and charges_paise),
  interest_paid_paise bigint not null default 0 check (interest_paid_paise between 0 and interest_paise),
  principal_paid_paise bigint not null default 0 check (principal_paid_paise between 0 and principal_paise),
  status text not null check (status in ('DUE', 'PART_PAID', 'PAID', 'OVERDUE')),
  -- Its due date has ended: its interest is earned, and what is unpaid of it is overdue.
  fell_due boolean not null default false,
  -- How many penal charges it has had, and the day whose end brings the next one.
  penalties smallint not null default 0,
  next_penalty_on date,
  updated_at timestamptz not null,
  primary key (case_ref, number)
) with (fillfactor = 80);

-- The rows that a schedule had before it was amended, by the version that they were.
create table schedule_history (
  case_ref text not null,
  schedule_version integer not null,
  rows jsonb not null,
  reason text not null,
  amended_at timestamptz not null,
  primary key (case_ref, schedule_version)
);
