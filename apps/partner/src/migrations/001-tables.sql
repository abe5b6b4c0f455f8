-- The database schema of the lending partner, by area.
-- Every primary key starts with case_ref, so the same code runs on one server, on a cluster and on a sharded database. The
-- inbox is keyed by message. Columns that end in _sealed are encrypted with AES-256-GCM; *_digest columns are keyed digests
-- for lookup. tenant_id belongs to the code that both programs share; here it is the nil UUID.

-- Tables of the packages, which packages/*/src/migrations create before: what only the partner's has. Staff have no tenant:
-- tenant_id is the nil UUID, and person_id is the staff_id.

alter table inbox_entity add primary key (case_ref, sender, entity_type, entity_id);
alter table inbox_outcome add primary key (case_ref, sender, event_id);
alter table outbox
  add primary key (case_ref, event_id),
  add unique (case_ref, entity_type, entity_id, entity_version);
alter table outbox_entity add primary key (case_ref, entity_type, entity_id);
create index sign_in_failure_newest on sign_in_failure (at, failure_id);

-- ledger

-- Ledger entries of a case. Entries are added and never changed; a reversal entry corrects another entry.
create table ledger_entry (
  case_ref text not null,
  -- Identifies the event, so that it is posted once: disbursement, due-7, penalty-7-1, receipt-<payment>, reversal-<payment>.
  entry_id text not null,
  -- ledger/entry.ts defines the kinds.
  kind text not null check (kind ~ '^[A-Z][A-Z_]+$'),
  business_on date not null,
  -- The entry that this one reverses, posting by posting.
  reverses text,
  posted_at timestamptz not null,
  -- The posting date: the business day in whose books the entry is. business_on is the value date.
  posted_on date not null,
  -- For a receipt, the borrower's instruction: whether it is a part payment of principal, and whether the instalment or the term
  -- stays the same. Null for other entries.
  is_part_payment boolean,
  keeps text check (keeps in ('INSTALLMENT', 'TERM')),
  primary key (case_ref, entry_id),
  check ((reverses is not null) = (kind = 'REVERSAL'))
);
create unique index ledger_entry_reversed_once on ledger_entry (case_ref, reverses) where reverses is not null;
-- At most one fee return of a loan is in force. The ID of a return includes the number of reversed returns before it.
create unique index ledger_entry_fee_returned_once
  on ledger_entry (case_ref, substring(entry_id from '^fee-return-([0-9]+)-of-')) where kind = 'FEE_RETURN';
create index ledger_entry_by_posting_day on ledger_entry (posted_on, case_ref, entry_id);

-- One amount, from a credited account to a debited one. Every line balances, so no entry can be out of balance.
create table ledger_posting (
  case_ref text not null,
  entry_id text not null,
  line smallint not null,
  debit text not null,
  credit text not null,
  -- The instalment row of the posting; 0 if it has none.
  installment smallint not null,
  paise bigint not null check (paise > 0),
  primary key (case_ref, entry_id, line),
  check (debit <> credit)
);
-- Finds loans with an unapplied balance without reading every posting.
create index ledger_posting_unapplied on ledger_posting (case_ref) where debit = 'UNAPPLIED' or credit = 'UNAPPLIED';

-- loan

create table loan (
  case_ref text primary key,
  loan_id text not null,
  loan_account_id text not null,
  status text not null check (status in ('ACTIVE', 'OVERDUE', 'CLOSED', 'CANCELLED')),
  terms jsonb not null,
  -- The transferred amount and its proof. D3 §1.1 rule 6
  disbursed_paise bigint not null check (disbursed_paise > 0),
  disbursed_on date not null,
  bank_reference text not null,
  schedule_version integer not null default 1,
  schedule_updated_at timestamptz not null,
  -- The next business day whose day-end changes this loan; null if there is none.
  next_work_on date,
  -- The due date of the oldest unpaid row; null if all are paid.
  next_due_on date,
  opened_at timestamptz not null,
  updated_at timestamptz not null,
  -- The current regular instalment; a part payment may lower it.
  installment_paise bigint not null check (installment_paise > 0),
  -- What a part payment keeps: the instalment, with a shorter term, or the term, with a lower instalment.
  part_payment_keeps text not null default 'INSTALLMENT' check (part_payment_keeps in ('INSTALLMENT', 'TERM')),
  -- The last day on which a payment closes the loan without the fee, after a cooling-off exit request.
  exit_until date,
  -- The date of the write-off in the books. The borrower still owes the amount.
  written_off_on date,
  -- The asset class since a business day's end (RBI, income recognition and asset classification). It is set per borrower: all
  -- loans of one PAN have the worst class among them. A repaid loan is standard.
  asset_class text not null default 'STANDARD' check (asset_class in ('STANDARD', 'SMA_0', 'SMA_1',
    'SMA_2', 'SUB_STANDARD', 'DOUBTFUL_1', 'DOUBTFUL_2', 'DOUBTFUL_3', 'LOSS')),
  -- The business day at whose end the loan became non-performing; null while it is performing.
  npa_on date
    check ((npa_on is not null) = (asset_class in ('SUB_STANDARD', 'DOUBTFUL_1', 'DOUBTFUL_2', 'DOUBTFUL_3', 'LOSS'))),
  -- Outstanding principal: the sum of the instalment rows, stored here to compute the provisions of the whole book.
  principal_paise bigint not null,
  -- The date of the cooling-off exit request, and the number of the complaint or message that contains it.
  exit_requested_on date check (exit_requested_on >= disbursed_on),
  exit_reference text check (exit_reference ~ '^[A-Za-z0-9][A-Za-z0-9/._-]{2,59}$')
) with (fillfactor = 80);
create index loan_next_work on loan (next_work_on, case_ref) where next_work_on is not null;
create index loan_next_due on loan (next_due_on, case_ref) where next_due_on is not null;
-- Finds a loan by a number in a payer's remark.
create index loan_by_number on loan (loan_id);
create index loan_by_account_number on loan (loan_account_id);
create index loan_classified on loan (asset_class, case_ref) where asset_class <> 'STANDARD';
create index loan_by_disbursal on loan (disbursed_on);
create index loan_in_arrears on loan (next_due_on, case_ref) where status = 'OVERDUE';

-- An instalment row of the current schedule, with the amounts paid. They are sums of ledger postings, stored here for the
-- day-end and compared with the ledger on every read. A penal charge is due with the row but is not part of its amount.
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
  -- The due date has passed: the row's interest is earned, and its unpaid amount is overdue.
  fell_due boolean not null default false,
  -- The number of penal charges on the row, and the day whose day-end adds the next one.
  penalties smallint not null default 0,
  next_penalty_on date,
  updated_at timestamptz not null,
  -- Interest accrued before the due date, and the last day included.
  accrued_paise bigint not null default 0 check (accrued_paise >= 0),
  accrued_on date,
  -- The basis of the interest: outstanding principal of each day since the start of the row's week, in paise × days.
  principal_days bigint not null default 0 check (principal_days >= 0),
  -- Interest refunded as principal because a receipt that repaid principal was posted after its value date.
  interest_given_back_paise bigint not null default 0 check (interest_given_back_paise >= 0),
  -- Backdated receipts of the row's week, in paise × days, for which rounding refunded too little interest; below zero, too much.
  -- The next backdated receipt of the week includes it in its rounding.
  late_days bigint not null default 0,
  primary key (case_ref, number)
) with (fillfactor = 80);
create index installment_by_due on installment (due_on);

-- The instalment rows of a schedule before each amendment, by version.
create table schedule_history (
  case_ref text not null,
  schedule_version integer not null,
  rows jsonb not null,
  reason text not null,
  amended_at timestamptz not null,
  primary key (case_ref, schedule_version)
);

-- The asset classes of a loan after the first one, with their dates and reasons.
create table loan_class (
  case_ref text not null,
  number integer not null,
  asset_class text not null,
  -- Days past due of the borrower on that day; 0 if nothing was overdue.
  days_past_due integer not null,
  reason text not null check (reason in ('ARREARS', 'OTHER_LOAN', 'AGE', 'ARREARS_PAID', 'ARREARS_WAIVED', 'DECISION')),
  from_on date not null,
  -- The day at whose end the class changed; null for the current class.
  until_on date,
  -- The person who decided, and the reason given; null if the day-end classified the loan.
  decided_by text,
  remark text,
  primary key (case_ref, number),
  check ((reason = 'DECISION') = (decided_by is not null))
);
create unique index loan_class_current on loan_class (case_ref) where until_on is null;

-- The provision rate from a business day, in hundredths of a percent of outstanding principal.
create table provision_rate (
  asset_class text not null,
  from_on date not null,
  bps integer not null check (bps between 0 and 10000),
  primary key (asset_class, from_on)
);
-- RBI Master Direction for non-banking finance companies, scale based regulation: middle-layer standard assets 0.40 %,
-- sub-standard 10 %, doubtful 100 % of the unsecured part, loss 100 %. These loans are unsecured.
insert into provision_rate (asset_class, from_on, bps) values
  ('STANDARD', '2000-01-01', 40), ('SMA_0', '2000-01-01', 40), ('SMA_1', '2000-01-01', 40), ('SMA_2', '2000-01-01', 40),
  ('SUB_STANDARD', '2000-01-01', 1000), ('DOUBTFUL_1', '2000-01-01', 10000), ('DOUBTFUL_2', '2000-01-01', 10000),
  ('DOUBTFUL_3', '2000-01-01', 10000), ('LOSS', '2000-01-01', 10000);

-- The result of a day-end, written last, in the transaction of its provisions.
create table business_day (
  ended_on date primary key,
  loans integer not null,
  entries integer not null,
  failed integer not null,
  -- The number of loans whose asset class changed.
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

-- The book at each month end, written by the day-end of the month's last day. Monthly reports read these tables; loan and
-- installment have the current book.

-- A loan with outstanding principal, and its asset class or WRITTEN_OFF.
create table loan_month (
  case_ref text not null,
  month_end date not null,
  state text not null,
  principal_paise bigint not null check (principal_paise > 0),
  primary key (case_ref, month_end)
);
create index loan_month_by_end on loan_month (month_end, case_ref);

-- Migration between classes from one month end to the next. NEW and CLOSED: the loan is absent from the earlier or the later one.
-- Amounts are principal at the earlier month end; for a new loan, at the later one.
create table portfolio_roll (
  month_end date not null,
  from_state text not null,
  to_state text not null,
  loans integer not null,
  principal_paise bigint not null,
  primary key (month_end, from_state, to_state)
);

-- Loans by month of disbursement: the amount lent, and the principal of loans more than 30 days past due or in a worse class.
create table portfolio_vintage (
  month_end date not null,
  -- The first day of the month.
  lent_month date not null,
  loans integer not null,
  lent_paise bigint not null,
  late_loans integer not null,
  late_paise bigint not null,
  primary key (month_end, lent_month)
);

-- The amount due in a month, and the amount collected of it by month end. Written last, so a month with a row is complete.
create table portfolio_month (
  month_end date primary key,
  due_paise bigint not null,
  collected_paise bigint not null
);

-- document

-- The documents that a case's lead lists. stored_document tells whether a document has arrived.
create table expected_document (
  case_ref text not null,
  document_reference_id text not null,
  document_type text not null,
  primary key (case_ref, document_reference_id)
);

-- A complete, checked and stored file. One per reference, never replaced: a newer file has a new reference.
create table stored_document (
  case_ref text not null,
  document_reference_id text not null,
  document_id uuid not null,
  document_type text not null,
  request_id uuid not null,
  -- The client that uploaded the file.
  uploader text not null,
  provider_reference_id text,
  -- Encrypted, because a file name may contain a person's name.
  file_name_sealed bytea not null,
  content_type text not null,
  size_bytes integer not null,
  -- SHA-256 of the unencrypted bytes, in hexadecimal.
  sha256 text not null,
  -- The name in the file store.
  object_name text not null,
  stored_at timestamptz not null,
  primary key (case_ref, document_reference_id),
  unique (case_ref, document_id)
);

-- The upload request of a file, keyed by request ID like an inbox. The same request returns the same response; the same ID with
-- other content is rejected, for any case.
create table document_request (
  sender text not null,
  request_id uuid not null,
  case_ref text not null,
  document_reference_id text not null,
  -- Digest of the identifiers, the document type and the bytes' digest.
  content_digest bytea not null,
  primary key (sender, request_id)
);

-- case

-- The response to a dedupe request, keyed by request ID like an inbox. The same request returns the same response, for any
-- case.
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

-- Applicants whom a dedupe check could not match with certainty, for an officer to decide. The key is the reference of the check.
-- Later checks of the same applicant use the decision.
create table dedupe_review (
  review_id uuid primary key,
  sender text not null,
  case_ref text not null,
  pan_digest bytea not null,
  person_digest bytea not null,
  -- Name, PAN, mobile number and date of birth in the request.
  applicant_sealed bytea not null,
  -- The case of the similar borrower; null if there is none.
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

-- Locked by each decision on a borrower's exposure, so that parallel applications of one PAN are decided one after the other.
create table borrower_lock (
  pan_digest bytea primary key
);

-- One application record of the partner. Every change of a case locks this row first and increments snapshot_version.
create table case_file (
  case_ref text primary key,
  -- The client that owns the case. Other clients receive "not found".
  sender text not null,
  -- Reserved at registration, as numeric strings. Before disbursement the loan ID is only an application identifier.
  lead_id text not null,
  loan_id text not null,
  status text not null check (status in ('RECEIVED', 'DOCUMENTS_PENDING', 'UNDER_REVIEW', 'OFFERED', 'OFFER_ACCEPTED',
    'KYC_PENDING', 'MANDATE_PENDING', 'ESIGN_PENDING', 'READY_TO_DISBURSE', 'DISBURSEMENT_PENDING', 'DISBURSED', 'REJECTED', 'EXPIRED')),
  product text not null,
  mandate_required boolean not null,
  pan_digest bytea not null,
  -- Digest of mobile number and date of birth.
  person_digest bytea not null,
  snapshot_version integer not null default 1,
  source_event_id uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The requested amount. It counts towards the exposure limit until an offer sets another amount.
  requested_paise bigint check (requested_paise >= 0)
) with (fillfactor = 80);
create index case_file_by_pan on case_file (pan_digest);
create index case_file_by_person on case_file (person_digest);
create index case_file_by_status on case_file (status, case_ref);
-- For staff searches by these numbers, which are not personal data.
create index case_file_by_lead on case_file (lead_id);
create index case_file_by_loan on case_file (loan_id);
-- The desk lists the most recently changed cases first.
create index case_file_newest on case_file (updated_at, case_ref);

-- Data of LEAD_SUBMITTED on borrower, business, banking, bureau and proposed offer. A separate table, as case_file is locked often.
create table case_lead (
  case_ref text primary key,
  lead_sealed bytea not null,
  received_at timestamptz not null
);

-- Search keys of cases: keyed digests of name words, mobile number, PAN, email address, account, business registrations and
-- provider references. The digests do not reveal the values.
create table case_search_key (
  case_ref text not null,
  kind text not null check (kind in ('name', 'mobile', 'pan', 'email', 'account', 'registration', 'reference')),
  digest bytea not null,
  primary key (case_ref, kind, digest)
);
create index case_search_key_by_digest on case_search_key (digest, case_ref);

-- The latest result of a provider, or of the lender's own review, for a case.
create table case_check (
  case_ref text not null,
  name text not null check (name in ('kyc', 'lender_kyc_review', 'mandate', 'esign')),
  status text not null,
  verified boolean not null,
  -- The event's or the review's data, encrypted: provider, references, limits, document IDs, reason.
  facts_sealed bytea not null,
  -- The time reported by the provider or the reviewer.
  happened_at timestamptz not null,
  recorded_at timestamptz not null,
  primary key (case_ref, name)
);

-- The status history of a case.
create table case_move (
  case_ref text not null,
  number integer not null,
  move text not null,
  status text not null,
  at timestamptz not null,
  primary key (case_ref, number)
);

-- Why an application ended between offer and disbursement. Written with the move that ended it.
create table case_stop (
  case_ref text primary key,
  -- The cause: a decision of the lender, the borrower's wish, a rejected KYC, or an expired time limit.
  cause text not null check (cause in ('LENDER', 'BORROWER', 'KYC', 'TIME')),
  reason_code text not null,
  reason_message text,
  -- A staff member, the rules, or a time limit.
  stopped_by text not null,
  stopped_at timestamptz not null
);

-- An event of the platform that reports that one of our events could not be applied. It is recorded and not answered.
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

-- Each switch of the autopilot, which decides in place of officers. Before the first switch the setting applies.
create table autopilot_switch (
  switch_id uuid primary key,
  is_on boolean not null,
  -- The staff member who switched it.
  switched_by text not null,
  switched_at timestamptz not null
);
create index autopilot_switch_newest on autopilot_switch (switched_at, switch_id);

-- Notes of staff about a case.
create table case_note (
  case_ref text not null,
  note_id uuid not null,
  text_sealed bytea not null,
  staff_id uuid not null,
  noted_at timestamptz not null,
  primary key (case_ref, note_id)
);

-- A task about a case, assigned to a staff member, with a due date.
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

-- The result of the bank data review, by the lender's rules of that day; the desk shows it with the decision (D3 §2.3 banking).
create table case_bank_review (
  case_ref text primary key,
  decision text not null check (decision in ('APPROVE', 'LOWER', 'REVIEW', 'DECLINE')),
  -- The rule that decided, or the missing data; null if the data meets every rule.
  reason_code text,
  -- The figures, and each rule with its limit and its figure.
  review_sealed bytea not null,
  judged_at timestamptz not null,
  check ((decision = 'APPROVE') = (reason_code is null))
);

-- The bank data rules from a business day, as JSON. Before the first row the rules of the settings apply.
create table bank_rule_set (
  from_on date primary key,
  rules text not null
);

-- Final terms of an offer. Changed terms are a new row with a new ID, never an update. The newest version is the current one.
create table case_offer (
  case_ref text not null,
  offer_id uuid not null,
  version integer not null,
  terms jsonb not null,
  valid_until timestamptz not null,
  -- Digest of the secret part of the key facts statement's URL.
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

-- Manual decisions with officer, time and reason: reviews of the application and of the KYC.
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

-- A transfer of the loan amount to the borrower. The bank knows it by its ID.
create table disbursement (
  case_ref text not null,
  disbursement_id uuid not null,
  -- ORDERED: not yet sent. UNKNOWN: sent, outcome unknown. SENT: accepted by the bank.
  status text not null check (status in ('ORDERED', 'UNKNOWN', 'SENT', 'DISBURSED', 'FAILED')),
  amount_paise bigint not null check (amount_paise > 0),
  -- Account holder, account number and IFSC, and the borrower's PAN.
  payee_sealed bytea not null,
  bank_reference text check ((bank_reference is not null) = (status = 'DISBURSED')),
  reason_code text,
  sent_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (case_ref, disbursement_id)
);
-- A loan is disbursed once: another transfer is possible only after the previous one failed.
create unique index disbursement_once on disbursement (case_ref) where status <> 'FAILED';
create index disbursement_by_id on disbursement (disbursement_id);
create index disbursement_by_bank_reference on disbursement (bank_reference) where bank_reference is not null;

-- Names of a borrower and an account holder that the name match cannot decide, for an officer. The transfer waits for the
-- decision, which holds for the same two names in the same case.
create table name_review (
  case_ref text not null,
  -- Digest of both names and the account.
  names_digest bytea not null,
  -- The two names.
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

-- A borrower's account that replaces the lead's account after approval by two people. Payments to the borrower use the newest
-- one. Debits stay on the account of the mandate.
create table account_change (
  case_ref text not null,
  number integer not null check (number > 0),
  -- Account holder, account number and IFSC.
  account_sealed bytea not null,
  approved_by text not null,
  changed_at timestamptz not null,
  primary key (case_ref, number)
);

-- A refund of an overpayment to the borrower. The bank knows it by its ID.
create table refund (
  case_ref text not null,
  refund_id uuid not null,
  status text not null check (status in ('ORDERED', 'UNKNOWN', 'SENT', 'PAID', 'FAILED')),
  amount_paise bigint not null check (amount_paise > 0),
  -- Account holder, account number and IFSC of the disbursement, and the borrower's PAN.
  payee_sealed bytea not null,
  bank_reference text check ((bank_reference is not null) = (status = 'PAID')),
  reason_code text,
  sent_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (case_ref, refund_id)
);
-- A loan has one refund in progress.
create unique index refund_under_way on refund (case_ref) where status in ('ORDERED', 'UNKNOWN', 'SENT');
create index refund_by_id on refund (refund_id);
create index refund_by_bank_reference on refund (bank_reference) where bank_reference is not null;
create index refund_unfinished on refund (updated_at, refund_id) where status in ('ORDERED', 'UNKNOWN', 'SENT');

-- All debits, claims, receipts and reversals of a loan.
create table payment (
  case_ref text not null,
  payment_id uuid not null,
  status text not null check (status in ('PREPARED', 'DROPPED', 'UNKNOWN', 'SUBMITTED', 'PENDING_VERIFICATION', 'FAILED',
    'POSTED', 'TAKEN_BACK', 'REVERSED')),
  method text not null,
  amount_paise bigint not null check (amount_paise > 0),
  installment_ids text[] not null,
  -- One debit attempt, presented to the bank under this ID only.
  collection_id uuid,
  umrn text,
  mandate_reference text,
  attempt_number integer,
  collection_on date,
  submitted_at timestamptz,
  provider_reference text,
  -- Data from the borrower.
  claim_reference text,
  claimed_reference text,
  claimed_on date,
  -- Data from the bank.
  receipt_id text,
  bank_reference text,
  value_on date,
  reason_code text,
  result_sequence integer not null default 0,
  reversal_of_payment_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The borrower declared the payment to be a part payment of principal, whatever the amount.
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
-- Payments of a period by value date, to compare with the bank.
create index payment_by_value on payment (value_on) where value_on is not null;
create index payment_by_id on payment (payment_id);
create index payment_by_claim on payment (claim_reference) where claim_reference is not null;
create index payment_by_bank_reference on payment (bank_reference) where bank_reference is not null;
-- Claims that wait for a receipt; the desk lists the oldest first.
create index payment_claimed on payment (created_at, payment_id) where status = 'PENDING_VERIFICATION';
create index payment_under_way on payment (updated_at, payment_id) where status in ('PREPARED', 'UNKNOWN', 'SUBMITTED');
-- For the bounce calendar.
create index payment_presented on payment (collection_on, amount_paise, payment_id) where collection_id is not null;

-- Rules for debits and for contacting borrowers, from a business day. The newest row in force applies.
create table collection_policy (
  from_on date primary key,
  -- Days between a returned debit and the next one for the same instalments.
  retry_days integer not null check (retry_days between 1 and 30),
  -- Maximum debits for one instalment, including the first; then an officer decides.
  most_attempts integer not null check (most_attempts between 1 and 10),
  -- Weekdays on which debits are presented; Monday is 1.
  weekdays integer[] not null,
  -- Whether debits are presented on bank holidays. NACH clears them on every day since 1 August 2021.
  on_holidays boolean not null,
  -- The hours, in India, in which borrowers may be contacted about dues.
  contact_from_hour integer not null check (contact_from_hour between 0 and 23),
  contact_until_hour integer not null check (contact_until_hour between 1 and 24),
  -- Days before and after a due date on which reminders are sent.
  remind_before integer[] not null,
  remind_after integer[] not null
);
insert into collection_policy (from_on, retry_days, most_attempts, weekdays, on_holidays, contact_from_hour,
  contact_until_hour, remind_before, remind_after)
values ('2000-01-01', 2, 3, '{1,2,3,4,5,6,7}', true, 8, 19, '{2}', '{1,7}');

-- Bank holidays. National holidays are inserted here; a lender adds the holidays of its state.
create table bank_holiday (
  holiday_on date primary key,
  name text not null
);
insert into bank_holiday (holiday_on, name)
select make_date(year, month, day), name from generate_series(2026, 2035) as year,
  (values (1, 26, 'Republic Day'), (8, 15, 'Independence Day'), (10, 2, 'Mahatma Gandhi’s birthday')) as each (month, day, name);

-- A hold: no debit under this mandate, or for this loan, until a new mandate or an officer removes the hold.
create table collection_hold (
  case_ref text primary key,
  policy text not null check (policy in ('new-mandate', 'stop', 'review')),
  reason_code text not null,
  -- Null holds all mandates of the loan.
  umrn text,
  -- The returned debit; null if an officer placed the hold without one.
  payment_id uuid,
  since_at timestamptz not null
);
create index collection_hold_oldest on collection_hold (since_at, case_ref);

-- The last business day on which a case was checked for a debit, and the result.
create table collection_day (
  case_ref text primary key,
  collection_on date not null,
  outcome text not null,
  looked_at timestamptz not null
);

-- The staff member who works on the arrears of a case.
create table collection_agent (
  case_ref text primary key,
  staff_id uuid not null,
  assigned_at timestamptz not null
);
create index collection_agent_cases on collection_agent (staff_id, case_ref);

-- Notices to a borrower about the recovery agent for their arrears, by email or post.
create table agent_notice (
  case_ref text not null,
  staff_id uuid not null,
  state text not null check (state in ('QUEUED', 'TRIED', 'SENT', 'FAILED')),
  answer text,
  queued_at timestamptz not null,
  settled_at timestamptz,
  primary key (case_ref, staff_id)
);

-- Promises to pay, with their dates. A promise is kept or broken by the amount received until the day-end.
create table payment_promise (
  case_ref text not null,
  promise_id uuid not null,
  amount_paise bigint not null check (amount_paise > 0),
  promised_on date not null,
  state text not null default 'OPEN' check (state in ('OPEN', 'KEPT', 'BROKEN')),
  -- The amount received since the promise, set when the promise is decided.
  received_paise bigint,
  made_by uuid not null,
  made_at timestamptz not null,
  decided_at timestamptz,
  primary key (case_ref, promise_id),
  check ((state = 'OPEN') = (decided_at is null))
);
create unique index payment_promise_open on payment_promise (case_ref) where state = 'OPEN';
create index payment_promise_due on payment_promise (promised_on) where state = 'OPEN';

-- Contacts with a borrower about dues, in the words of the staff member.
create table contact_note (
  case_ref text not null,
  note_id uuid not null,
  way text not null check (way in ('CALL', 'VISIT', 'MESSAGE', 'POST', 'OTHER')),
  outcome text not null check (outcome in ('REACHED', 'NOT_REACHED', 'WRONG_NUMBER', 'REFUSED')),
  text_sealed bytea not null,
  staff_id uuid not null,
  contacted_at timestamptz not null,
  -- When the note was written, possibly after the contact, and the rule that the contact breached, if any.
  noted_at timestamptz not null,
  breach text check (breach in ('OUTSIDE_HOURS', 'AGENT_UNKNOWN')),
  primary key (case_ref, note_id),
  constraint contact_note_past check (contacted_at <= noted_at)
);

-- Reminders by email; each is attempted once per instalment and kind.
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

-- Results of debits from the bank. Keyed by message, like an inbox, so that each is processed once.
create table bank_result (
  provider text not null,
  result_id text not null,
  reference text not null,
  sequence integer not null,
  status text not null,
  return_code text,
  bank_reference text,
  value_on date not null,
  -- APPLIED, or the reason why it had no effect.
  outcome text not null check (outcome in ('APPLIED', 'SUPERSEDED', 'STRANGE')),
  received_at timestamptz not null,
  primary key (provider, result_id)
);
create index bank_result_of on bank_result (reference, sequence);

-- Receipts in the lender's account. Keyed by message, like an inbox, so that each is processed once.
create table bank_receipt (
  provider text not null,
  receipt_id text not null,
  method text not null,
  transaction_reference text not null,
  amount_paise bigint not null check (amount_paise > 0),
  value_on date not null,
  -- Payer and remark.
  words_sealed bytea not null,
  -- The payment that the receipt was posted as; null while the borrower is unknown.
  case_ref text,
  payment_id uuid,
  received_at timestamptz not null,
  posted_at timestamptz,
  -- True after an officer reversed the posting: then only an officer, or a matching claim, can post the receipt.
  is_by_hand boolean not null default false,
  primary key (provider, receipt_id),
  check ((payment_id is null) = (case_ref is null) and (payment_id is null) = (posted_at is null))
);
create index bank_receipt_by_reference on bank_receipt (transaction_reference);
create index bank_receipt_by_id on bank_receipt (receipt_id);
create index bank_receipt_unposted on bank_receipt (received_at, provider, receipt_id) where payment_id is null;

-- The position up to which the bank's lists were read.
create table bank_place (
  provider text not null,
  list text not null check (list in ('debit-results', 'receipts')),
  place text not null,
  read_at timestamptz not null,
  primary key (provider, list)
);

-- A statement of the lender's account from the bank, to reconcile with the books. The same file is stored once.
create table bank_statement (
  statement_id uuid primary key,
  digest bytea not null unique,
  file_name text not null,
  from_on date not null,
  to_on date not null,
  lines integer not null check (lines > 0),
  uploaded_by uuid not null,
  uploaded_at timestamptz not null,
  -- A closed statement accepts no new match and no removal of one.
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
  -- Positive: received. Negative: paid out.
  paise bigint not null check (paise <> 0),
  reference text not null,
  -- The bank's remark, which may contain names.
  words_sealed bytea not null,
  primary key (statement_id, line)
);

-- A manual match of two unmatched items: a statement line and a ledger entry.
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

-- Staff of the lender. Passwords are stored as argon2id hashes.
create table staff (
  staff_id uuid primary key,
  email text not null unique,
  name text not null,
  password_hash text not null,
  created_at timestamptz not null,
  -- The row of a former staff member stays, because acts refer to it.
  removed_at timestamptz,
  roles text[] not null default '{viewer}',
  -- Other people who may know the password because they saw the link that set it.
  known_to uuid[] not null default '{}',
  constraint staff_roles_check check (cardinality(roles) > 0
    and roles <@ array['viewer', 'credit', 'operations', 'collections', 'accounts', 'admin'])
);

-- The newest link of each staff member for setting a password.
create table staff_password_link (
  staff_id uuid primary key,
  link_id uuid not null,
  kind text not null check (kind in ('INVITATION', 'RESET')),
  -- Null for the command line.
  requested_by uuid,
  requested_at timestamptz not null,
  -- Other people who saw the link: empty if it was sent by email. The nil UUID is the command line.
  seen_by uuid[] not null,
  state text not null check (state in ('QUEUED', 'SENT', 'FAILED', 'HANDED_OVER', 'USED')),
  -- The last response of the mail server.
  answer text,
  -- Digest of the link's token; null until the link is sent.
  digest bytea unique,
  expires_at timestamptz not null,
  used_at timestamptz check ((used_at is not null) = (state = 'USED'))
);

-- All acts of staff. `digest` is SHA-256 of the previous entry's digest and this entry's canonical JSON.
create table audit_entry (
  tenant_id uuid not null,
  sequence integer not null,
  at timestamptz not null,
  -- Null for the command line, and for a failed sign-in.
  person_id uuid,
  act text not null,
  case_ref text,
  -- Another object of the act: an event, a receipt, a file, a staff member.
  subject text,
  -- Canonical JSON, stored as the digested text.
  detail text not null,
  digest bytea not null,
  primary key (tenant_id, sequence)
);
create index audit_entry_of_case on audit_entry (case_ref, sequence) where case_ref is not null;
create index audit_entry_of_person on audit_entry (person_id, sequence);
create index audit_entry_by_act on audit_entry (act, sequence);

-- The largest amounts that a role may decide alone and may approve for others. Without a row the role may do neither.
create table approval_limit (
  role text not null check (role in ('viewer', 'credit', 'operations', 'collections', 'accounts', 'admin')),
  act text not null check (act in ('OFFER', 'PAYOUT', 'REFUND', 'WAIVER', 'WRITE_OFF', 'LOSS', 'REVERSAL', 'ACCOUNT')),
  alone_paise bigint not null default 0 check (alone_paise >= 0),
  approve_paise bigint not null default 0 check (approve_paise >= 0),
  primary key (role, act),
  -- Every act except an offer needs a second person.
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

-- An act that one person requests and another approves or refuses.
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
  -- Other people who knew the requester's password at that time.
  maker_known_to uuid[] not null default '{}',
  primary key (case_ref, request_id),
  check ((state = 'WAITING') = (decided_at is null)),
  -- The requester cannot approve the request.
  check (state <> 'APPROVED' or (decided_by is not null and decided_by <> made_by))
);
-- A case has one waiting request of each act.
create unique index approval_request_waiting on approval_request (case_ref, act) where state = 'WAITING';
create index approval_request_oldest on approval_request (made_at, request_id) where state = 'WAITING';

-- A change of a setting that one admin proposes and another confirms.
create table setting_change (
  change_id uuid primary key,
  setting text not null check (setting in ('LIMITS', 'ROLES', 'DEBITS', 'HOLIDAYS', 'PROVISIONS', 'BANK_RULES')),
  -- The object, if the setting has several: an email address of staff, a year.
  subject text not null default '',
  -- The form as sent, as JSON.
  form text not null,
  -- The differences by name, as JSON: values at the time of the proposal, and proposed values.
  before text not null,
  after text not null,
  -- The business day from which the change applies; null if it applies from its confirmation.
  from_on date,
  reason text not null,
  state text not null check (state in ('WAITING', 'CONFIRMED', 'REFUSED', 'WITHDRAWN', 'EXPIRED')),
  made_by uuid not null,
  made_at timestamptz not null,
  expires_at timestamptz not null,
  decided_by uuid,
  decided_at timestamptz,
  decision_reason text,
  -- Other people who knew the proposer's password at that time.
  maker_known_to uuid[] not null default '{}',
  check ((state = 'WAITING') = (decided_at is null)),
  -- The proposer cannot confirm the change.
  check (state <> 'CONFIRMED' or (decided_by is not null and decided_by <> made_by))
);
-- A setting has one waiting change.
create unique index setting_change_waiting on setting_change (setting, subject) where state = 'WAITING';
create index setting_change_newest on setting_change (made_at);
