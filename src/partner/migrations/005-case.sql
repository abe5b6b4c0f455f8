-- case

-- The answer to a dedupe request, kept under the request's own id, as an inbox is keyed by its message: the same request
-- again is the same answer, whatever case it names.
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

-- One partner application record. Whoever acts on a case locks this row first, and thereby counts snapshot_version up.
create table case_file (
  case_ref text primary key,
  -- The client whose case it is; to anybody else it does not exist.
  sender text not null,
  -- Reserved at registration, numeric strings; the loan id is an application identifier before disbursement.
  lead_id text not null,
  loan_id text not null,
  status text not null check (status in ('RECEIVED', 'DOCUMENTS_PENDING', 'UNDER_REVIEW', 'OFFERED', 'OFFER_ACCEPTED', 'KYC_PENDING',
    'MANDATE_PENDING', 'ESIGN_PENDING', 'READY_TO_DISBURSE', 'DISBURSEMENT_PENDING', 'DISBURSED', 'REJECTED', 'EXPIRED')),
  product text not null,
  mandate_required boolean not null,
  pan_digest bytea not null,
  -- Mobile and date of birth together.
  person_digest bytea not null,
  snapshot_version integer not null default 1,
  source_event_id uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
) with (fillfactor = 80);
create index case_file_by_pan on case_file (pan_digest);
create index case_file_by_person on case_file (person_digest);
create index case_file_by_status on case_file (status, case_ref);

-- What LEAD_SUBMITTED said of borrower, business, banking, bureau and proposed offer; apart from the row that is locked often.
create table case_lead (
  case_ref text primary key,
  lead_sealed bytea not null,
  received_at timestamptz not null
);

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

-- review

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
