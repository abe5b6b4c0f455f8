-- The schema of the lending partner, by area.
-- Every key begins with case_ref, so that one server, a cluster and a sharded one run the same code; an inbox is keyed
-- by its message. Columns that end in _sealed hold AES-256-GCM; *_digest columns are keyed digests for look-up.
-- tenant_id belongs to the machinery that both programs share: here it is all zeros.

-- database

-- Which key the digests of this database were made with: a program that has another one must not start.
create table digest_key (
  id integer primary key check (id = 1),
  fingerprint bytea not null
);

create table job (
  tenant_id uuid not null,
  job_id uuid not null,
  kind text not null,
  key text,
  payload jsonb not null,
  due_at timestamptz not null,
  attempt integer not null default 0,
  last_error text,
  correlation_id text,
  enqueued_at timestamptz not null default now(),
  -- How many workers in a row took a job and neither finished it nor put it off: they died, or hung.
  unanswered_claims integer not null default 0,
  primary key (tenant_id, job_id),
  unique (tenant_id, kind, key)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index job_due on job (kind, due_at);

-- exchange

-- What was received, as it came; never changed. D3 §4.2
create table inbox (
  sender text not null,
  event_id uuid not null,
  event_type text not null,
  case_ref text not null,
  entity_type text not null,
  entity_id text not null,
  entity_version bigint not null,
  -- Of the exact bytes: the same event again, or another one under its id.
  body_sha256 bytea not null,
  body_sealed bytea not null,
  correlation_id text,
  received_at timestamptz not null,
  primary key (sender, event_id)
);
-- Sealed bytes do not compress.
alter table inbox alter column body_sealed set storage external;

-- What is not settled yet: arrived with its event, gone after its effect.
create table inbox_waiting (
  sender text not null,
  case_ref text not null,
  entity_type text not null,
  entity_id text not null,
  entity_version bigint not null,
  event_id uuid not null,
  received_at timestamptz not null,
  -- When a worker may take it; while one has it, the end of its lease.
  due_at timestamptz not null,
  -- Since when it waits for what comes before it, or fails; and why.
  stuck_since timestamptz,
  stuck_because text,
  tries integer not null default 0,
  alerted_at timestamptz,
  primary key (sender, case_ref, entity_type, entity_id, entity_version, event_id)
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
-- Not by due_at: a lease then changes no index.
create index inbox_waiting_oldest on inbox_waiting (received_at);
create index inbox_waiting_stuck on inbox_waiting (sender, case_ref, entity_version) where stuck_since is not null;

-- The version that is next, by sender and object; the worker that applies an event locks it. D3 §2.2
create table inbox_entity (
  tenant_id uuid not null,
  case_ref text not null,
  sender text not null,
  entity_type text not null,
  entity_id text not null,
  next_version bigint not null,
  primary key (case_ref, sender, entity_type, entity_id)
) with (fillfactor = 80);

-- What became of an event, written in the transaction of its effect.
create table inbox_outcome (
  tenant_id uuid not null,
  case_ref text not null,
  sender text not null,
  event_id uuid not null,
  outcome text not null check (outcome in ('APPLIED', 'FAILED', 'SUPERSEDED')),
  reason text,
  settled_at timestamptz not null,
  primary key (case_ref, sender, event_id)
);

-- What was sent or is to be sent, as it goes over the wire. D3 §6 rule 8: never discarded.
create table outbox (
  tenant_id uuid not null,
  case_ref text not null,
  event_id uuid not null,
  -- Events of one destination share its limit of tries at once; the nil id where there is one destination.
  destination_id uuid not null default '00000000-0000-0000-0000-000000000000',
  event_type text not null,
  entity_type text not null,
  entity_id text not null,
  entity_version bigint not null,
  body_sealed bytea not null,
  state text not null check (state in ('PENDING', 'DELIVERED', 'DEAD')),
  -- When it may be tried; while a worker holds it, the end of its lease, by which the worker is known.
  due_at timestamptz check ((due_at is not null) = (state = 'PENDING')),
  attempt integer not null default 0,
  last_answer text,
  last_attempt_at timestamptz,
  delivered_at timestamptz,
  dead_at timestamptz check ((dead_at is not null) = (state = 'DEAD')),
  correlation_id text,
  created_at timestamptz not null,
  primary key (case_ref, event_id),
  unique (case_ref, entity_type, entity_id, entity_version)
) with (autovacuum_vacuum_scale_factor = 0.02);
alter table outbox alter column body_sealed set storage external;
create index outbox_due on outbox (due_at) where due_at is not null;
create index outbox_dead on outbox (dead_at) where dead_at is not null;
create index outbox_event on outbox (event_id);

-- The last assigned version, by object.
create table outbox_entity (
  tenant_id uuid not null,
  case_ref text not null,
  entity_type text not null,
  entity_id text not null,
  last_version bigint not null,
  primary key (case_ref, entity_type, entity_id)
) with (fillfactor = 80);

-- ledger

-- What happened to the money of a case. Entries are added, never changed; a correction is an entry that takes another back.
create table ledger_entry (
  case_ref text not null,
  -- Says what it is, and so refuses to happen twice: disbursement, due-7, penalty-7-1, receipt-<payment>, reversal-<payment>.
  entry_id text not null,
  -- The kinds are named in ledger/entry.ts.
  kind text not null check (kind ~ '^[A-Z][A-Z_]+$'),
  business_on date not null,
  -- The entry that this one takes back, posting by posting.
  reverses text,
  posted_at timestamptz not null,
  -- The business day in whose books an entry is; business_on is its value date.
  posted_on date not null,
  -- What the borrower wanted with the money of a receipt: principal repaid at once, and the instalment or the term kept. Null with
  -- other entries.
  is_part_payment boolean,
  keeps text check (keeps in ('INSTALLMENT', 'TERM')),
  primary key (case_ref, entry_id),
  check ((reverses is not null) = (kind = 'REVERSAL'))
);
create unique index ledger_entry_reversed_once on ledger_entry (case_ref, reverses) where reverses is not null;
-- At most one return of a fee is in force for a loan. A return counts in its id those that were taken back before it.
create unique index ledger_entry_fee_returned_once
  on ledger_entry (case_ref, substring(entry_id from '^fee-return-([0-9]+)-of-')) where kind = 'FEE_RETURN';
create index ledger_entry_by_posting_day on ledger_entry (posted_on, case_ref, entry_id);

-- One amount that leaves one account and enters another: no entry can be out of balance, as every line of it is in balance.
create table ledger_posting (
  case_ref text not null,
  entry_id text not null,
  line smallint not null,
  debit text not null,
  credit text not null,
  -- The row of the schedule it is about; 0 when it is about none.
  installment smallint not null,
  paise bigint not null check (paise > 0),
  primary key (case_ref, entry_id, line),
  check (debit <> credit)
);
-- Loans with too much paid are found without reading every posting.
create index ledger_posting_unapplied on ledger_posting (case_ref) where debit = 'UNAPPLIED' or credit = 'UNAPPLIED';

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
  updated_at timestamptz not null,
  -- The regular instalment as it is now: a part payment may lower it.
  installment_paise bigint not null check (installment_paise > 0),
  -- What the borrower wants when principal is repaid early: the same instalment for a shorter time, or less over the same term.
  part_payment_keeps text not null default 'INSTALLMENT' check (part_payment_keeps in ('INSTALLMENT', 'TERM')),
  -- Until when money closes the loan without the fee, since the borrower asked to leave within the cooling-off period.
  exit_until date,
  -- Since when its claim is written off in the books; the borrower owes it all the same.
  written_off_on date,
  -- How the loan is classified since the end of a business day (RBI, income recognition and asset classification), by the
  -- borrower: all loans of one PAN have the class of the worst. A loan that was repaid is standard.
  asset_class text not null default 'STANDARD' check (asset_class in ('STANDARD', 'SMA_0', 'SMA_1',
    'SMA_2', 'SUB_STANDARD', 'DOUBTFUL_1', 'DOUBTFUL_2', 'DOUBTFUL_3', 'LOSS')),
  -- The business day at whose end it became non-performing; null while it is not.
  npa_on date
    check ((npa_on is not null) = (asset_class in ('SUB_STANDARD', 'DOUBTFUL_1', 'DOUBTFUL_2', 'DOUBTFUL_3', 'LOSS'))),
  -- Principal that is outstanding: the sum of the rows, kept beside them for the provisions of a whole book.
  principal_paise bigint not null,
  -- On which day the borrower asked to leave within the cooling-off period, and the number of the complaint or message that
  -- says so.
  exit_requested_on date check (exit_requested_on >= disbursed_on),
  exit_reference text check (exit_reference ~ '^[A-Za-z0-9][A-Za-z0-9/._-]{2,59}$')
) with (fillfactor = 80);
create index loan_next_work on loan (next_work_on, case_ref) where next_work_on is not null;
create index loan_next_due on loan (next_due_on, case_ref) where next_due_on is not null;
-- Finds the loan of a number in a payer's remark.
create index loan_by_number on loan (loan_id);
create index loan_by_account_number on loan (loan_account_id);
create index loan_classified on loan (asset_class, case_ref) where asset_class <> 'STANDARD';
create index loan_by_disbursal on loan (disbursed_on);
create index loan_in_arrears on loan (next_due_on, case_ref) where status = 'OVERDUE';

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
  -- Interest of a row that was booked before it fell due, and until which day.
  accrued_paise bigint not null default 0 check (accrued_paise >= 0),
  accrued_on date,
  -- What interest is earned on, exactly: the principal to come of every day since the row's week began, in paise and days.
  principal_days bigint not null default 0 check (principal_days >= 0),
  -- Interest of a row that was given back as principal, as the lender learnt late of money that repaid some.
  interest_given_back_paise bigint not null default 0 check (interest_given_back_paise >= 0),
  -- Late money of a row's week, in paise × days, on which too little interest was given back by rounding, or too much below zero:
  -- the next late money of the week is rounded with it.
  late_days bigint not null default 0,
  primary key (case_ref, number)
) with (fillfactor = 80);
create index installment_by_due on installment (due_on);

-- The rows that a schedule had before it was amended, by the version that they were.
create table schedule_history (
  case_ref text not null,
  schedule_version integer not null,
  rows jsonb not null,
  reason text not null,
  amended_at timestamptz not null,
  primary key (case_ref, schedule_version)
);

-- Every class that a loan has had but the first: from which day's end until which, and why.
create table loan_class (
  case_ref text not null,
  number integer not null,
  asset_class text not null,
  -- Of the borrower, on that day; 0 when nothing was overdue.
  days_past_due integer not null,
  reason text not null check (reason in ('ARREARS', 'OTHER_LOAN', 'AGE', 'ARREARS_PAID', 'ARREARS_WAIVED', 'DECISION')),
  from_on date not null,
  -- The day at whose end another class began; null for the one that holds.
  until_on date,
  -- Whose decision it was, and their words; null where the day's end classified it.
  decided_by text,
  remark text,
  primary key (case_ref, number),
  check ((reason = 'DECISION') = (decided_by is not null))
);
create unique index loan_class_current on loan_class (case_ref) where until_on is null;

-- What is provided for, in hundredths of a percent of the outstanding principal, from a business day on.
create table provision_rate (
  asset_class text not null,
  from_on date not null,
  bps integer not null check (bps between 0 and 10000),
  primary key (asset_class, from_on)
);
-- Master Direction for non-banking finance companies, scale based regulation: standard assets of the middle layer 0.40 %,
-- sub-standard 10 %, doubtful 100 % of what no security covers, loss 100 %. These loans have no security.
insert into provision_rate (asset_class, from_on, bps) values
  ('STANDARD', '2000-01-01', 40), ('SMA_0', '2000-01-01', 40), ('SMA_1', '2000-01-01', 40), ('SMA_2', '2000-01-01', 40),
  ('SUB_STANDARD', '2000-01-01', 1000), ('DOUBTFUL_1', '2000-01-01', 10000), ('DOUBTFUL_2', '2000-01-01', 10000),
  ('DOUBTFUL_3', '2000-01-01', 10000), ('LOSS', '2000-01-01', 10000);

-- What the end of a business day did: written last, in the transaction of its provisions.
create table business_day (
  ended_on date primary key,
  loans integer not null,
  entries integer not null,
  failed integer not null,
  -- Loans whose class it changed.
  classified integer not null,
  provision_paise bigint not null,
  provision_change_paise bigint not null,
  began_at timestamptz not null,
  ended_at timestamptz not null
);

create table business_day_class (
  ended_on date not null,
  asset_class text not null,
  loans integer not null,
  principal_paise bigint not null,
  provision_bps integer not null,
  provision_paise bigint not null,
  primary key (ended_on, asset_class)
);

-- How the book was at the end of each month, written by the end of its last day. Reports over months read these tables; today's
-- book is in loan and installment.

-- A loan with principal outstanding: its asset class, or WRITTEN_OFF.
create table loan_month (
  case_ref text not null,
  month_end date not null,
  state text not null,
  principal_paise bigint not null check (principal_paise > 0),
  primary key (case_ref, month_end)
);
create index loan_month_by_end on loan_month (month_end, case_ref);

-- From the class at one month's end to that at the next; NEW and CLOSED where a loan was not in one of them. Amounts are
-- principal at the first of the two, of a new loan at the second.
create table portfolio_roll (
  month_end date not null,
  from_state text not null,
  to_state text not null,
  loans integer not null,
  principal_paise bigint not null,
  primary key (month_end, from_state, to_state)
);

-- Of the loans of one month of disbursement: what was lent, and the principal of those more than 30 days past due, or worse.
create table portfolio_vintage (
  month_end date not null,
  -- Its first day.
  lent_month date not null,
  loans integer not null,
  lent_paise bigint not null,
  late_loans integer not null,
  late_paise bigint not null,
  primary key (month_end, lent_month)
);

-- What fell due in a month, and what had been paid of it by its end. Written last: a month with a row is complete.
create table portfolio_month (
  month_end date primary key,
  due_paise bigint not null,
  collected_paise bigint not null
);

-- document

-- The manifest: what a case's lead announced. Whether it has come is read off stored_document.
create table expected_document (
  case_ref text not null,
  document_reference_id text not null,
  document_type text not null,
  primary key (case_ref, document_reference_id)
);

-- A file that is whole, checked and on the disk. One for each reference, never replaced: a newer file has a reference of its own.
create table stored_document (
  case_ref text not null,
  document_reference_id text not null,
  document_id uuid not null,
  document_type text not null,
  request_id uuid not null,
  -- The client who sent it.
  uploader text not null,
  provider_reference_id text,
  -- People name files after people.
  file_name_sealed bytea not null,
  content_type text not null,
  size_bytes integer not null,
  -- Of the plain bytes, hexadecimal.
  sha256 text not null,
  -- Under which the file store keeps it.
  object_name text not null,
  stored_at timestamptz not null,
  primary key (case_ref, document_reference_id),
  unique (case_ref, document_id)
);

-- The upload request that brought a file, kept under its own id, as an inbox is keyed by its message: the same request again
-- gets the same answer, and one with other content is refused, for any case.
create table document_request (
  sender text not null,
  request_id uuid not null,
  case_ref text not null,
  document_reference_id text not null,
  -- Identifiers, document type and the bytes' digest.
  content_digest bytea not null,
  primary key (sender, request_id)
);

-- case

-- The answer to a dedupe request, kept under the request's own id, as an inbox is keyed by its message: the same request
-- again gets the same answer, for any case.
create table dedupe_check (
  sender text not null,
  request_id uuid not null,
  case_ref text not null,
  content_digest bytea not null,
  dedupe_reference_id uuid not null,
  pan_digest bytea not null,
  person_digest bytea not null,
  match_status text not null check (match_status in ('NO_MATCH', 'MATCH', 'AMBIGUOUS')),
  decision text not null check (decision in ('PROCEED', 'DECLINE', 'REVIEW_REQUIRED')),
  reason_code text not null,
  reason_message text not null,
  existing_lead_id text,
  existing_loan_id text,
  checked_at timestamptz not null,
  primary key (sender, request_id),
  check (match_status <> 'AMBIGUOUS' or decision = 'REVIEW_REQUIRED')
);
create index dedupe_check_of_case on dedupe_check (case_ref, dedupe_reference_id);

-- Applicants of whom a check could not say whether they are a known borrower, for people to decide; named by the check's own
-- reference. A later check of the same applicant follows the decision.
create table dedupe_review (
  review_id uuid primary key,
  sender text not null,
  case_ref text not null,
  pan_digest bytea not null,
  person_digest bytea not null,
  -- Name, PAN, mobile and date of birth as the check gave them.
  applicant_sealed bytea not null,
  -- The case of the borrower whom they resemble; null where none is.
  existing_case_ref text,
  created_at timestamptz not null,
  decision text check (decision in ('SAME', 'DIFFERENT')),
  reason text,
  decided_by text,
  decided_at timestamptz,
  check ((decision is null) = (decided_at is null) and (decision is null) = (reason is null))
);
create index dedupe_review_of on dedupe_review (pan_digest, person_digest);
create index dedupe_review_open on dedupe_review (created_at, review_id) where decision is null;

-- Locked by each decision on what one borrower may have: of parallel applications of one PAN each sees those before it.
create table borrower_lock (
  pan_digest bytea primary key
);

-- One partner application record. Every act on a case locks this row first and thereby counts snapshot_version up.
create table case_file (
  case_ref text primary key,
  -- The client whose case it is; it does not exist for other clients.
  sender text not null,
  -- Reserved at registration, numeric strings; the loan id is an application identifier before disbursement.
  lead_id text not null,
  loan_id text not null,
  status text not null check (status in ('RECEIVED', 'DOCUMENTS_PENDING', 'UNDER_REVIEW', 'OFFERED', 'OFFER_ACCEPTED',
    'KYC_PENDING', 'MANDATE_PENDING', 'ESIGN_PENDING', 'READY_TO_DISBURSE', 'DISBURSEMENT_PENDING', 'DISBURSED', 'REJECTED', 'EXPIRED')),
  product text not null,
  mandate_required boolean not null,
  pan_digest bytea not null,
  -- Mobile and date of birth together.
  person_digest bytea not null,
  snapshot_version integer not null default 1,
  source_event_id uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- What is asked for: it counts against what the borrower may have until an offer says another amount.
  requested_paise bigint check (requested_paise >= 0)
) with (fillfactor = 80);
create index case_file_by_pan on case_file (pan_digest);
create index case_file_by_person on case_file (person_digest);
create index case_file_by_status on case_file (status, case_ref);
-- Staff search by these numbers; they name no person.
create index case_file_by_lead on case_file (lead_id);
create index case_file_by_loan on case_file (loan_id);
-- The desk lists the cases that changed last.
create index case_file_newest on case_file (updated_at, case_ref);

-- What LEAD_SUBMITTED said of borrower, business, banking, bureau and proposed offer; apart from the row that is locked often.
create table case_lead (
  case_ref text primary key,
  lead_sealed bytea not null,
  received_at timestamptz not null
);

-- How staff find a case by what they know of a person: keyed digests of the words of names, mobile, PAN, e-mail, account,
-- registrations of the business and references of providers. Nothing can be read out of them.
create table case_search_key (
  case_ref text not null,
  kind text not null check (kind in ('name', 'mobile', 'pan', 'email', 'account', 'registration', 'reference')),
  digest bytea not null,
  primary key (case_ref, kind, digest)
);
create index case_search_key_by_digest on case_search_key (digest, case_ref);

-- What a provider, or the lender's own review, last said of a case.
create table case_check (
  case_ref text not null,
  name text not null check (name in ('kyc', 'lender_kyc_review', 'mandate', 'esign')),
  status text not null,
  verified boolean not null,
  -- The event's data (or the review), sealed: provider, references, limits, document ids, reason.
  facts_sealed bytea not null,
  -- When the provider, or the reviewer, says that it happened.
  happened_at timestamptz not null,
  recorded_at timestamptz not null,
  primary key (case_ref, name)
);

-- Every status a case has had.
create table case_move (
  case_ref text not null,
  number integer not null,
  move text not null,
  status text not null,
  at timestamptz not null,
  primary key (case_ref, number)
);

-- Why an application ended after an offer and before its payout; written with the move that ended it.
create table case_stop (
  case_ref text primary key,
  -- Who or what ended it: a person of the lender, the borrower, a KYC that was rejected, time.
  cause text not null check (cause in ('LENDER', 'BORROWER', 'KYC', 'TIME')),
  reason_code text not null,
  reason_message text,
  -- A person of the staff, the rules, or time alone.
  stopped_by text not null,
  stopped_at timestamptz not null
);

-- An event of the other side that says that one of ours could not be applied: recorded, never answered.
create table failure_notice (
  case_ref text not null,
  event_id uuid not null,
  source_event_id uuid not null,
  code text not null,
  message text not null,
  retryable boolean not null,
  failed_at timestamptz not null,
  recorded_at timestamptz not null,
  primary key (case_ref, event_id)
);

-- Whether rules decide in place of people, each time that it was switched; before the first switch the setting applies.
create table autopilot_switch (
  switch_id uuid primary key,
  is_on boolean not null,
  -- A person of the staff.
  switched_by text not null,
  switched_at timestamptz not null
);
create index autopilot_switch_newest on autopilot_switch (switched_at, switch_id);

-- What colleagues should know of a case.
create table case_note (
  case_ref text not null,
  note_id uuid not null,
  text_sealed bytea not null,
  staff_id uuid not null,
  noted_at timestamptz not null,
  primary key (case_ref, note_id)
);

-- A task of a person about a case, due on a day.
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
create index case_task_open on case_task (assignee, due_on, task_id) where done_at is null;

-- review

-- The result of a lead's bank data by the lender's rules of that day: shown beside the decision (D3 §2.3 banking).
create table case_bank_review (
  case_ref text primary key,
  decision text not null check (decision in ('APPROVE', 'LOWER', 'REVIEW', 'DECLINE')),
  -- The rule or the lack that decided; null where every rule was met.
  reason_code text,
  -- Figures, and each rule with its bound and its figure.
  review_sealed bytea not null,
  judged_at timestamptz not null,
  check ((decision = 'APPROVE') = (reason_code is null))
);

-- The rules for bank data from a business day on, as JSON; before the first row those of the settings apply.
create table bank_rule_set (
  from_on date primary key,
  rules text not null
);

-- Final terms under their own id; changed terms are a new row, never an edit. The newest version is the current one.
create table case_offer (
  case_ref text not null,
  offer_id uuid not null,
  version integer not null,
  terms jsonb not null,
  valid_until timestamptz not null,
  -- Digest of the unguessable part of the key facts statement's address.
  kfs_digest bytea not null,
  decision text not null default 'PENDING' check (decision in ('PENDING', 'ACCEPT', 'REJECT', 'EXPIRE')),
  source_event_id uuid,
  decided_at timestamptz,
  recorded_at timestamptz,
  created_at timestamptz not null,
  primary key (case_ref, offer_id),
  unique (case_ref, version),
  check ((recorded_at is null) = (decision = 'PENDING'))
);
create index case_offer_by_kfs on case_offer (kfs_digest);
create index case_offer_pending on case_offer (valid_until) where decision = 'PENDING';

-- Who decided what, when and why: manual reviews of the application and reviews of the KYC.
create table case_review (
  case_ref text not null,
  review_id uuid not null,
  kind text not null check (kind in ('APPLICATION', 'KYC')),
  decision text not null check (decision in ('APPROVED', 'REJECTED')),
  reviewer_reference text not null,
  reason_code text,
  reason_message text,
  offer_id uuid,
  event_id uuid not null,
  reviewed_at timestamptz not null,
  primary key (case_ref, review_id)
);

-- collection

-- A transfer of a loan to its borrower. Its id is the reference under which the bank knows it.
create table disbursement (
  case_ref text not null,
  disbursement_id uuid not null,
  -- ORDERED: not sent yet. UNKNOWN: sent, with unknown outcome. SENT: the bank has it.
  status text not null check (status in ('ORDERED', 'UNKNOWN', 'SENT', 'DISBURSED', 'FAILED')),
  amount_paise bigint not null check (amount_paise > 0),
  -- Holder, number and IFSC of the account, and the borrower's PAN.
  payee_sealed bytea not null,
  bank_reference text check ((bank_reference is not null) = (status = 'DISBURSED')),
  reason_code text,
  sent_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (case_ref, disbursement_id)
);
-- A loan is paid out once: another transfer only after the one before has failed.
create unique index disbursement_once on disbursement (case_ref) where status <> 'FAILED';
create index disbursement_by_id on disbursement (disbursement_id);
create index disbursement_by_bank_reference on disbursement (bank_reference) where bank_reference is not null;

-- Names of a borrower and of the owner of their account that a rule cannot compare for sure, for a person to decide. The
-- transfer waits for it; the same two names of the same case are decided once.
create table name_review (
  case_ref text not null,
  -- Digest of both names and the account.
  names_digest bytea not null,
  -- Both names.
  names_sealed bytea not null,
  created_at timestamptz not null,
  decision text check (decision in ('SAME', 'DIFFERENT')),
  reason text,
  decided_by text,
  decided_at timestamptz,
  primary key (case_ref, names_digest),
  check ((decision is null) = (decided_at is null) and (decision is null) = (reason is null))
);
create index name_review_open on name_review (case_ref) where decision is null;

-- The borrower's account where it is another than the lead gave, as two people decided: the newest counts for money to the
-- borrower. Debits go on at the account of the mandate.
create table account_change (
  case_ref text not null,
  number integer not null check (number > 0),
  -- Holder, number and IFSC.
  account_sealed bytea not null,
  approved_by text not null,
  changed_at timestamptz not null,
  primary key (case_ref, number)
);

-- What was paid too much, on its way back to the borrower. Its id is the reference under which the bank knows it.
create table refund (
  case_ref text not null,
  refund_id uuid not null,
  status text not null check (status in ('ORDERED', 'UNKNOWN', 'SENT', 'PAID', 'FAILED')),
  amount_paise bigint not null check (amount_paise > 0),
  -- Holder, number and IFSC of the account that the loan was paid to, and the borrower's PAN.
  payee_sealed bytea not null,
  bank_reference text check ((bank_reference is not null) = (status = 'PAID')),
  reason_code text,
  sent_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (case_ref, refund_id)
);
-- One at a time.
create unique index refund_under_way on refund (case_ref) where status in ('ORDERED', 'UNKNOWN', 'SENT');
create index refund_by_id on refund (refund_id);
create index refund_by_bank_reference on refund (bank_reference) where bank_reference is not null;
create index refund_unfinished on refund (updated_at, refund_id) where status in ('ORDERED', 'UNKNOWN', 'SENT');

-- Every debit, claim, receipt and reversal of a loan.
create table payment (
  case_ref text not null,
  payment_id uuid not null,
  status text not null check (status in ('PREPARED', 'DROPPED', 'UNKNOWN', 'SUBMITTED', 'PENDING_VERIFICATION', 'FAILED',
    'POSTED', 'TAKEN_BACK', 'REVERSED')),
  method text not null,
  amount_paise bigint not null check (amount_paise > 0),
  installment_ids text[] not null,
  -- One attempt at a debit, presented under this id and no other.
  collection_id uuid,
  umrn text,
  mandate_reference text,
  attempt_number integer,
  collection_on date,
  submitted_at timestamptz,
  provider_reference text,
  -- What a borrower says.
  claim_reference text,
  claimed_reference text,
  claimed_on date,
  -- What the bank says.
  receipt_id text,
  bank_reference text,
  value_on date,
  reason_code text,
  result_sequence integer not null default 0,
  reversal_of_payment_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The borrower said that it is to repay principal, however little it is.
  is_part_payment boolean not null default false,
  primary key (case_ref, payment_id),
  check (status <> 'FAILED' or reason_code is not null),
  check (status not in ('POSTED', 'TAKEN_BACK', 'REVERSED') or value_on is not null),
  check ((status = 'REVERSED') = (reversal_of_payment_id is not null))
);
create unique index payment_of_collection on payment (case_ref, collection_id)
  where collection_id is not null and reversal_of_payment_id is null;
create unique index payment_of_claim on payment (case_ref, claim_reference)
  where claim_reference is not null and reversal_of_payment_id is null;
create unique index payment_of_receipt on payment (case_ref, receipt_id)
  where receipt_id is not null and reversal_of_payment_id is null;
create unique index payment_reversed_once on payment (case_ref, reversal_of_payment_id)
  where reversal_of_payment_id is not null;
create index payment_by_collection on payment (collection_id) where collection_id is not null;
create index payment_by_claimed on payment (claimed_reference) where claimed_reference is not null;
-- What the books have of a period, by the days on which the bank moved it.
create index payment_by_value on payment (value_on) where value_on is not null;
-- collection
create index payment_by_id on payment (payment_id);
create index payment_by_claim on payment (claim_reference) where claim_reference is not null;
create index payment_by_bank_reference on payment (bank_reference) where bank_reference is not null;
-- Claims that wait for the bank: the desk lists the oldest first.
create index payment_claimed on payment (created_at, payment_id) where status = 'PENDING_VERIFICATION';
create index payment_under_way on payment (updated_at, payment_id) where status in ('PREPARED', 'UNKNOWN', 'SUBMITTED');
-- The bounce calendar.
create index payment_presented on payment (collection_on, amount_paise, payment_id) where collection_id is not null;

-- How debits are asked for and borrowers contacted, from a business day on: the newest row that has begun holds.
create table collection_policy (
  from_on date primary key,
  -- Days between a debit that was returned and the next one for the same instalments.
  retry_days integer not null check (retry_days between 1 and 30),
  -- Debits for the same instalment, the first one included, before a person must decide.
  most_attempts integer not null check (most_attempts between 1 and 10),
  -- Days of the week on which debits are presented, Monday being 1.
  weekdays integer[] not null,
  -- Whether debits are presented on bank holidays: NACH clears them on every day since 1 August 2021.
  on_holidays boolean not null,
  -- Hours in India in which borrowers may be contacted about what they owe.
  contact_from_hour integer not null check (contact_from_hour between 0 and 23),
  contact_until_hour integer not null check (contact_until_hour between 1 and 24),
  -- Days before and after a due date on which a reminder is sent.
  remind_before integer[] not null,
  remind_after integer[] not null
);
insert into collection_policy (from_on, retry_days, most_attempts, weekdays, on_holidays, contact_from_hour,
  contact_until_hour, remind_before, remind_after)
values ('2000-01-01', 2, 3, '{1,2,3,4,5,6,7}', true, 8, 19, '{2}', '{1,7}');

-- Days on which banks are closed. The national holidays are here; those of a lender's own state are added by it.
create table bank_holiday (
  holiday_on date primary key,
  name text not null
);
insert into bank_holiday (holiday_on, name)
select make_date(year, month, day), name from generate_series(2026, 2035) as year,
  (values (1, 26, 'Republic Day'), (8, 15, 'Independence Day'), (10, 2, 'Mahatma Gandhi’s birthday')) as each (month, day, name);

-- No debit under this mandate, or none at all, until a new mandate or a person takes this away.
create table collection_hold (
  case_ref text primary key,
  policy text not null check (policy in ('new-mandate', 'stop', 'review')),
  reason_code text not null,
  -- Null holds every mandate.
  umrn text,
  -- A person holds debits without a debit that was returned.
  payment_id uuid,
  since_at timestamptz not null
);
create index collection_hold_oldest on collection_hold (since_at, case_ref);

-- On which business day a case was last looked at for a debit, and what came of it.
create table collection_day (
  case_ref text primary key,
  collection_on date not null,
  outcome text not null,
  looked_at timestamptz not null
);

-- Who of the staff works on the arrears of a case.
create table collection_agent (
  case_ref text primary key,
  staff_id uuid not null,
  assigned_at timestamptz not null
);
create index collection_agent_cases on collection_agent (staff_id, case_ref);

-- What a borrower was sent of the agent who works on their arrears: by mail, or by a posted letter.
create table agent_notice (
  case_ref text not null,
  staff_id uuid not null,
  state text not null check (state in ('QUEUED', 'TRIED', 'SENT', 'FAILED')),
  answer text,
  queued_at timestamptz not null,
  settled_at timestamptz,
  primary key (case_ref, staff_id)
);

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

-- Each contact with a borrower about what is owed, in the words of the person who had it.
create table contact_note (
  case_ref text not null,
  note_id uuid not null,
  way text not null check (way in ('CALL', 'VISIT', 'MESSAGE', 'POST', 'OTHER')),
  outcome text not null check (outcome in ('REACHED', 'NOT_REACHED', 'WRONG_NUMBER', 'REFUSED')),
  text_sealed bytea not null,
  staff_id uuid not null,
  contacted_at timestamptz not null,
  -- A contact has its own time, which may be earlier than that of the note, and the rule that it broke, if it broke one.
  noted_at timestamptz not null,
  breach text check (breach in ('OUTSIDE_HOURS', 'AGENT_UNKNOWN')),
  primary key (case_ref, note_id),
  constraint contact_note_past check (contacted_at <= noted_at)
);

-- Reminders by mail, each tried once for an instalment and kind.
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

-- bank

-- The bank's results of debits, each once: keyed by the message, as an inbox is.
create table bank_result (
  provider text not null,
  result_id text not null,
  reference text not null,
  sequence integer not null,
  status text not null,
  return_code text,
  bank_reference text,
  value_on date not null,
  -- APPLIED, or why it changed nothing.
  outcome text not null check (outcome in ('APPLIED', 'SUPERSEDED', 'STRANGE')),
  received_at timestamptz not null,
  primary key (provider, result_id)
);
create index bank_result_of on bank_result (reference, sequence);

-- What came into the lender's account, each once: keyed by the message, as an inbox is.
create table bank_receipt (
  provider text not null,
  receipt_id text not null,
  method text not null,
  transaction_reference text not null,
  amount_paise bigint not null check (amount_paise > 0),
  value_on date not null,
  -- Payer and remark.
  words_sealed bytea not null,
  -- The payment it was posted as; null while the borrower of the money is unknown.
  case_ref text,
  payment_id uuid,
  received_at timestamptz not null,
  posted_at timestamptz,
  -- A receipt that a person took back from a loan is posted by a person alone, or by a claim that it fits.
  is_by_hand boolean not null default false,
  primary key (provider, receipt_id),
  check ((payment_id is null) = (case_ref is null) and (payment_id is null) = (posted_at is null))
);
create index bank_receipt_by_reference on bank_receipt (transaction_reference);
create index bank_receipt_by_id on bank_receipt (receipt_id);
create index bank_receipt_unposted on bank_receipt (received_at, provider, receipt_id) where payment_id is null;

-- How far the bank's lists were read.
create table bank_place (
  provider text not null,
  list text not null check (list in ('debit-results', 'receipts')),
  place text not null,
  read_at timestamptz not null,
  primary key (provider, list)
);

-- A statement of the lender's account as the bank gave it, for comparison with the books. The same file is kept once.
create table bank_statement (
  statement_id uuid primary key,
  digest bytea not null unique,
  file_name text not null,
  from_on date not null,
  to_on date not null,
  lines integer not null check (lines > 0),
  uploaded_by uuid not null,
  uploaded_at timestamptz not null,
  -- A closed statement takes no pair and no undoing.
  closed_at timestamptz,
  closed_by uuid,
  check (from_on <= to_on),
  check ((closed_at is null) = (closed_by is null))
);
create index bank_statement_newest on bank_statement (uploaded_at, statement_id);

create table bank_statement_line (
  statement_id uuid not null,
  line integer not null,
  value_on date not null,
  -- Above zero it came in, below zero it went out.
  paise bigint not null check (paise <> 0),
  reference text not null,
  -- What the bank writes beside it, which may name people.
  words_sealed bytea not null,
  primary key (statement_id, line)
);

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

-- desk

-- Who works at the lender. Passwords are kept as argon2id hashes.
create table staff (
  staff_id uuid primary key,
  email text not null unique,
  name text not null,
  password_hash text not null,
  created_at timestamptz not null,
  -- The row of a person who left stays: acts refer to it.
  removed_at timestamptz,
  roles text[] not null default '{viewer}',
  -- Who else may know the password: those who saw the link that it was chosen by.
  known_to uuid[] not null default '{}',
  constraint staff_roles_check check (cardinality(roles) > 0
    and roles <@ array['viewer', 'credit', 'operations', 'collections', 'accounts', 'admin'])
);

-- The link with which a person of the staff chooses a password: the newest one of each person.
create table staff_password_link (
  staff_id uuid primary key,
  link_id uuid not null,
  kind text not null check (kind in ('INVITATION', 'RESET')),
  -- Null at the command line.
  requested_by uuid,
  requested_at timestamptz not null,
  -- Who saw the link besides the person: empty where it is sent by mail. The nil uuid is the command line.
  seen_by uuid[] not null,
  state text not null check (state in ('QUEUED', 'SENT', 'FAILED', 'HANDED_OVER', 'USED')),
  -- What the mail server answered last.
  answer text,
  -- Of its token; null until it is sent.
  digest bytea unique,
  expires_at timestamptz not null,
  used_at timestamptz check ((used_at is not null) = (state = 'USED'))
);

-- The tables of kit/staff are as in the platform. Staff have no tenant: their rows are under the nil tenant, and person_id is
-- their staff_id.

-- Accounts at the OpenID provider with which staff sign in: a person has one at a provider.
create table person_open_id (
  tenant_id uuid not null check (tenant_id = '00000000-0000-0000-0000-000000000000'),
  issuer text not null,
  -- Whom the issuer means.
  subject_digest bytea not null,
  link_id uuid not null,
  of_tenant_id uuid not null,
  person_id uuid not null,
  created_at timestamptz not null,
  used_at timestamptz not null,
  primary key (tenant_id, issuer, subject_digest),
  unique (tenant_id, of_tenant_id, person_id, issuer)
);

-- The secret of the second factor, one that is not confirmed yet, the newest time step of which a code was used, and from when
-- the factor decides where two must decide.
create table person_totp (
  tenant_id uuid not null,
  person_id uuid not null,
  totp_sealed bytea,
  totp_pending_sealed bytea,
  totp_step integer not null default 0,
  decides_at timestamptz,
  primary key (tenant_id, person_id)
);

create table person_recovery_code (
  tenant_id uuid not null,
  person_id uuid not null,
  code_digest bytea not null,
  used_at timestamptz,
  primary key (tenant_id, person_id, code_digest)
);

-- A passkey (WebAuthn): the public key of a credential on a person's device, used instead of a password.
create table person_passkey (
  tenant_id uuid not null,
  person_id uuid not null,
  passkey_id uuid not null,
  credential_id text not null,
  public_key bytea not null,
  -- As the device counts its signatures; 0 for ever on one that does not.
  counter bigint not null,
  name text not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (tenant_id, person_id, passkey_id),
  unique (tenant_id, person_id, credential_id)
);

-- Answered challenges: each is accepted once. Open ones are not stored: they carry their own proof.
create table passkey_challenge_used (
  tenant_id uuid not null,
  challenge_digest bytea not null,
  expires_at timestamptz not null,
  primary key (tenant_id, challenge_digest)
);

-- Who is signed in: the cookie's value as a digest.
create table person_session (
  tenant_id uuid not null,
  session_id uuid not null,
  person_id uuid not null,
  digest bytea not null,
  -- The network of its address, and its browser.
  client_sealed bytea not null,
  -- How it was begun, or a code given since.
  proof text not null check (proof in ('PASSWORD', 'CODE', 'PASSKEY', 'OPENID')),
  created_at timestamptz not null,
  used_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant_id, session_id)
);
create index person_session_of_person on person_session (tenant_id, person_id);

-- Browsers in which a person has signed in: the cookie's value as a digest. From one of them its owner still signs in while
-- others guess at the same address.
create table person_device (
  tenant_id uuid not null,
  person_id uuid not null,
  device_digest bytea not null,
  seen_at timestamptz not null,
  primary key (tenant_id, person_id, device_digest)
);

-- Failed sign-ins. LIMITED: the password was not checked.
create table sign_in_failure (
  tenant_id uuid not null,
  failure_id uuid not null,
  -- Null where the address belongs to no account.
  person_id uuid,
  -- E-mail address as it was typed, and address of the caller.
  detail_sealed bytea not null,
  outcome text not null check (outcome in ('WRONG', 'WRONG_CODE', 'LIMITED',
    'OPENID_UNPROVEN', 'OPENID_UNVERIFIED', 'OPENID_DOMAIN', 'OPENID_UNKNOWN', 'OPENID_OTHER_ACCOUNT')),
  at timestamptz not null,
  primary key (tenant_id, failure_id)
);
create index sign_in_failure_newest on sign_in_failure (at, failure_id);

-- Wrong guesses at passwords and codes, over all processes.
create table guess_count (
  tenant_id uuid not null,
  -- Whose secret, of which kind, and by which device where that has a count of its own.
  subject text not null,
  guesses integer not null,
  -- Until then no guess is looked at.
  paused_until timestamptz,
  guessed_at timestamptz not null,
  primary key (tenant_id, subject)
);
create index guess_count_old on guess_count (guessed_at);

-- The end of the audit log. The writer of an entry locks this row, so that entries form one chain.
create table audit_chain (
  tenant_id uuid not null primary key,
  sequence integer not null,
  digest bytea not null
);

-- Everything that staff did. `digest` is SHA-256 of the digest of the entry before and of this one's canonical JSON.
create table audit_entry (
  tenant_id uuid not null,
  sequence integer not null,
  at timestamptz not null,
  -- Null at the command line, and for a caller who did not get in.
  person_id uuid,
  act text not null,
  case_ref text,
  -- What else it was about: an event, a receipt, a file, a person of the staff.
  subject text,
  -- Canonical JSON, kept as the text that was digested.
  detail text not null,
  digest bytea not null,
  primary key (tenant_id, sequence)
);
create index audit_entry_of_case on audit_entry (case_ref, sequence) where case_ref is not null;
create index audit_entry_of_person on audit_entry (person_id, sequence);
create index audit_entry_by_act on audit_entry (act, sequence);

-- Up to which amount a person in a role does an act alone, and up to which they approve it for others. Without a row: not at all.
create table approval_limit (
  role text not null check (role in ('viewer', 'credit', 'operations', 'collections', 'accounts', 'admin')),
  act text not null check (act in ('OFFER', 'PAYOUT', 'REFUND', 'WAIVER', 'WRITE_OFF', 'LOSS', 'REVERSAL', 'ACCOUNT')),
  alone_paise bigint not null default 0 check (alone_paise >= 0),
  approve_paise bigint not null default 0 check (approve_paise >= 0),
  primary key (role, act),
  -- Every act but an offer needs a second person.
  check (alone_paise = 0 or act = 'OFFER')
);
insert into approval_limit (role, act, alone_paise, approve_paise) values
  ('credit', 'OFFER', 20000000, 100000000),
  ('admin', 'OFFER', 20000000, 1000000000),
  ('operations', 'PAYOUT', 0, 100000000),
  ('accounts', 'PAYOUT', 0, 100000000),
  ('admin', 'PAYOUT', 0, 1000000000),
  ('operations', 'REFUND', 0, 2500000),
  ('accounts', 'REFUND', 0, 10000000),
  ('admin', 'REFUND', 0, 1000000000),
  ('credit', 'WAIVER', 0, 5000000),
  ('admin', 'WAIVER', 0, 1000000000),
  ('credit', 'WRITE_OFF', 0, 20000000),
  ('admin', 'WRITE_OFF', 0, 1000000000),
  ('credit', 'LOSS', 0, 20000000),
  ('accounts', 'LOSS', 0, 20000000),
  ('admin', 'LOSS', 0, 1000000000),
  ('operations', 'REVERSAL', 0, 10000000),
  ('accounts', 'REVERSAL', 0, 50000000),
  ('admin', 'REVERSAL', 0, 1000000000),
  ('operations', 'ACCOUNT', 0, 100000000),
  ('accounts', 'ACCOUNT', 0, 100000000),
  ('admin', 'ACCOUNT', 0, 1000000000);

-- An act that one person requests and another decides.
create table approval_request (
  case_ref text not null,
  request_id uuid not null,
  act text not null,
  -- The arguments of the act.
  payload_sealed bytea not null,
  amount_paise bigint not null check (amount_paise >= 0),
  reason text not null,
  state text not null check (state in ('WAITING', 'APPROVED', 'REFUSED', 'WITHDRAWN', 'EXPIRED')),
  made_by uuid not null,
  made_at timestamptz not null,
  expires_at timestamptz not null,
  decided_by uuid,
  decided_at timestamptz,
  decision_reason text,
  -- Who else knew the password of the person who made the request, at that time.
  maker_known_to uuid[] not null default '{}',
  primary key (case_ref, request_id),
  check ((state = 'WAITING') = (decided_at is null)),
  -- The person who made the request cannot approve it.
  check (state <> 'APPROVED' or (decided_by is not null and decided_by <> made_by))
);
-- A case has one waiting request of each act.
create unique index approval_request_waiting on approval_request (case_ref, act) where state = 'WAITING';
create index approval_request_oldest on approval_request (made_at, request_id) where state = 'WAITING';

-- A change of a setting that one admin proposes and another confirms.
create table setting_change (
  change_id uuid primary key,
  setting text not null check (setting in ('LIMITS', 'ROLES', 'DEBITS', 'HOLIDAYS', 'PROVISIONS', 'BANK_RULES')),
  -- Which one, where there are several: an e-mail address of staff, a year.
  subject text not null default '',
  -- The form as it was sent, as JSON.
  form text not null,
  -- What is different: by name as it was when it was proposed, and as it is to be, as JSON.
  before text not null,
  after text not null,
  -- The business day from which it holds; null where it holds from its confirmation.
  from_on date,
  reason text not null,
  state text not null check (state in ('WAITING', 'CONFIRMED', 'REFUSED', 'WITHDRAWN', 'EXPIRED')),
  made_by uuid not null,
  made_at timestamptz not null,
  expires_at timestamptz not null,
  decided_by uuid,
  decided_at timestamptz,
  decision_reason text,
  -- Who else knew the password of the person who proposed the change, at that time.
  maker_known_to uuid[] not null default '{}',
  check ((state = 'WAITING') = (decided_at is null)),
  -- The person who proposed the change cannot confirm it.
  check (state <> 'CONFIRMED' or (decided_by is not null and decided_by <> made_by))
);
-- A setting has one waiting change.
create unique index setting_change_waiting on setting_change (setting, subject) where state = 'WAITING';
create index setting_change_newest on setting_change (made_at);
