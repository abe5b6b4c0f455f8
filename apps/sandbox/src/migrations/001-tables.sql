-- The schema of the sandbox, the outside world: a directory, a gateway, lenders with their conversations, the account
-- aggregator, the bank, providers of verification, the mailbox and MF Central.
-- Columns that end in _sealed hold AES-256-GCM.
-- The tables job and digest_key are those of packages/queue and packages/postgres. A job's tenant_id is the conversation or
-- broadcast that it serves.

-- registry

create table participant (
  subscriber_id text not null,
  unique_key_id text not null,
  type text not null check (type in ('BAP', 'BPP', 'BG')),
  domain text not null,
  subscriber_url text not null,
  country text not null,
  city text not null,
  signing_public_key text not null,
  encryption_public_key text not null,
  valid_from timestamptz not null,
  valid_until timestamptz not null,
  status text not null check (status in ('SUBSCRIBED', 'UNSUBSCRIBED')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (subscriber_id, unique_key_id, type)
);

-- The parties that this program itself plays.
create table identity (
  subscriber_id text primary key,
  unique_key_id text not null,
  keys_sealed bytea not null,
  created_at timestamptz not null
);

-- gateway

create table broadcast (
  broadcast_id uuid primary key,
  bap_id text not null,
  transaction_id text not null,
  message_id text not null,
  authorization_header text not null,
  -- Exactly the bytes that were signed. A search names no borrower.
  body bytea not null,
  expires_at timestamptz not null,
  received_at timestamptz not null,
  unique (bap_id, transaction_id, message_id)
);

-- lender

create table conversation (
  conversation_id uuid primary key,
  lender text not null,
  transaction_id text not null,
  bap_id text not null,
  bap_uri text not null,
  status text not null,
  scenario text,
  applicant_sealed bytea,
  account_sealed bytea,
  -- What the lender owes the buyer app, as that said.
  finder_fee jsonb,
  payment_id text,
  offered_principal bigint,
  offered_months integer,
  annual_bps bigint,
  principal bigint,
  months integer,
  offer_ttl text,
  lapses_at timestamptz,
  agreed_on text,
  order_id text unique,
  sanctioned_at timestamptz,
  disbursed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  consent_handle text,
  monitoring_handle text,
  product text not null default 'PERSONAL_LOAN' check (product in ('PERSONAL_LOAN', 'GOLD_LOAN', 'LAMF')),
  -- The gold of a gold loan, the branch that takes it in, and when.
  gold_milligrams bigint,
  gold_purity text,
  branch_id text,
  visit_at timestamptz,
  -- Where a buyer app listens whose address names no port.
  bap_address text,
  -- What of a credit line is drawn, and since when.
  drawn bigint,
  drawn_at timestamptz,
  -- A lender may judge a borrower in two ways, each with an offer and a conversation of its own: null is its usual way.
  assessment text check (assessment in ('bureau', 'account-aggregator'))
);
create index conversation_recent on conversation (updated_at desc);
create unique index conversation_parties on conversation (lender, bap_id, transaction_id, coalesce(assessment, ''));

-- What a borrower, or the buyer app for them, filled in: one row per form, the newest filling.
create table submission (
  conversation_id uuid not null references conversation,
  heading text not null,
  submission_id uuid not null,
  digest bytea,
  outcome text not null check (
    outcome in ('PENDING', 'OFFLINE_PENDING', 'SUCCESS', 'APPROVED', 'COMPLETED', 'REJECTED', 'EXPIRED')),
  attempt integer not null,
  submitted_at timestamptz not null,
  primary key (conversation_id, heading)
);

-- Every message of a conversation, both ways; an incoming one is known by its ids and action, so it acts once.
create table message (
  conversation_id uuid not null references conversation,
  number bigint generated always as identity,
  direction text not null check (direction in ('in', 'out')),
  action text not null,
  message_id text not null,
  error_code text,
  body_sealed bytea not null,
  at timestamptz not null,
  sent_at timestamptz,
  given_up_at timestamptz,
  answer text,
  primary key (conversation_id, number)
);
create unique index message_once on message (conversation_id, message_id, action) where direction = 'in';
create index message_unsent on message (conversation_id, number)
  where direction = 'out' and sent_at is null and given_up_at is null;

-- Units of mutual funds: what the offer asks for, and what the borrower chose to pledge of it.
create table pledge (
  conversation_id uuid primary key references conversation,
  offered_sealed bytea not null,
  chosen_sealed bytea
);

-- The repayment plan of a disbursed loan, from its first change on; until then it follows from the terms.
create table repayment (
  conversation_id uuid not null references conversation,
  number integer not null,
  principal bigint not null,
  interest bigint not null,
  status text not null check (status in ('NOT-PAID', 'PAID', 'DELAYED', 'DEFERRED')),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  primary key (conversation_id, number)
);

-- A payment that a borrower asked for: what it would settle when it was asked for, and whether it was made.
create table service_payment (
  payment_id uuid primary key,
  conversation_id uuid not null references conversation,
  label text not null,
  status text not null check (status in ('OPEN', 'PAID', 'DROPPED')),
  principal bigint not null,
  interest bigint not null,
  late_fee bigint not null,
  charge bigint not null,
  -- The missed instalment that it settles.
  number integer,
  attempt integer not null default 0,
  opened_at timestamptz not null,
  lapses_at timestamptz not null,
  paid_at timestamptz,
  transaction_id text
);
create index service_payment_of on service_payment (conversation_id, opened_at);
create unique index service_payment_open on service_payment (conversation_id, label) where status = 'OPEN';

-- A complaint about a loan, as far as its lender has come with it; its words lie in the messages.
create table issue (
  conversation_id uuid not null references conversation,
  issue_id text not null,
  -- As the buyer app wrote it: it is repeated in every answer.
  raised_at text not null,
  -- The newest issue message, which the next on_issue answers.
  message_id text not null,
  ttl text not null,
  escalated boolean not null default false,
  closed boolean not null default false,
  -- What the lender has said so far, oldest first, and how it resolves it.
  actions jsonb not null default '[]',
  resolution jsonb,
  updated_at timestamptz not null,
  primary key (conversation_id, issue_id)
);

-- aggregator

-- Parties of its directory: lenders (FIU), service providers (LSP), and itself (AA).
create table aa_entity (
  entity_id text primary key,
  type text not null check (type in ('AA', 'FIU', 'LSP')),
  name text not null,
  api_key_digest bytea,
  -- What redirections of this requestor are encrypted with.
  secret_sealed bytea,
  keys jsonb not null,
  updated_at timestamptz not null
);
create index aa_entity_by_key on aa_entity (api_key_digest);

-- The signing keys of the parties that this program plays.
create table aa_signer (
  entity_id text primary key,
  kid text not null,
  private_key_sealed bytea not null,
  created_at timestamptz not null
);

create table aa_consent (
  handle uuid primary key,
  requestor text not null,
  txnid text not null,
  -- The consent detail, which names its customer.
  detail_sealed bytea not null,
  customer_digest bytea not null,
  status text not null check (status in ('PENDING', 'APPROVED', 'REJECTED', 'EXPIRED')),
  expires_at timestamptz not null,
  consent_id uuid unique,
  artefact_status text check (artefact_status in ('ACTIVE', 'REVOKED', 'EXPIRED')),
  signed_consent_sealed bytea,
  created_at timestamptz not null,
  decided_at timestamptz,
  unique (requestor, txnid)
);

create table aa_data_session (
  session_id uuid primary key,
  consent_id uuid not null references aa_consent (consent_id),
  requestor text not null,
  key_material jsonb not null,
  created_at timestamptz not null
);

-- bank

-- The numbers of a list are assigned under a lock until the commit: a reader up to one number has missed none before it.
create table bank_numbering (
  list text primary key,
  last bigint not null
);
insert into bank_numbering (list, last) values ('debit_result', 0), ('receipt', 0);

create table bank_transfer (
  client_reference text primary key,
  transfer_id uuid not null,
  request_digest bytea not null,
  request_sealed bytea not null,
  amount_paise bigint not null check (amount_paise > 0),
  status text not null check (status in ('PENDING', 'SUCCESS', 'FAILED')),
  scenario text,
  bank_reference text check ((bank_reference is not null) = (status = 'SUCCESS')),
  reason_code text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table bank_mandate (
  umrn text primary key,
  maximum_paise bigint not null,
  valid_from date not null,
  valid_until date not null,
  status text not null check (status in ('ACTIVE', 'CANCELLED')),
  updated_at timestamptz not null
);

create table bank_debit (
  reference text primary key,
  debit_id uuid not null,
  request_digest bytea not null,
  request_sealed bytea not null,
  account_digest bytea not null,
  umrn text not null,
  amount_paise bigint not null check (amount_paise > 0),
  collection_on date not null,
  scenario text,
  created_at timestamptz not null,
  -- The lender whose account it is. The first lender has no name.
  holder text not null default ''
);
create index bank_debit_of on bank_debit (account_digest, created_at);

create table bank_debit_result (
  number bigint primary key,
  result_id uuid not null unique,
  reference text not null references bank_debit,
  sequence integer not null,
  status text not null check (status in ('CONFIRMED', 'RETURNED')),
  return_code text check ((return_code is not null) = (status = 'RETURNED')),
  bank_reference text,
  value_on date not null,
  at timestamptz not null,
  unique (reference, sequence)
);

create table bank_receipt (
  number bigint primary key,
  receipt_id uuid not null unique,
  method text not null check (method in ('NEFT', 'RTGS', 'IMPS', 'UPI')),
  transaction_reference text not null unique,
  amount_paise bigint not null check (amount_paise > 0),
  value_on date not null,
  payer_sealed bytea not null,
  remark text,
  at timestamptz not null,
  holder text not null default ''
);

-- verification

create table verification (
  verification_id uuid primary key,
  kind text not null check (kind in ('kyc', 'mandate', 'esign', 'statement')),
  client_reference text not null,
  -- Distinguishes a repeated request from another one under its reference.
  content_digest bytea not null,
  request_sealed bytea not null,
  state text not null,
  reason_code text,
  -- What came of it: a mandate's number, a statement's figures.
  facts_sealed bytea not null,
  -- How often the borrower has tried in vain.
  attempt integer not null,
  scenario text,
  page_expires_at timestamptz not null,
  created_at timestamptz not null,
  -- Grows with every change, so that of two answers the later one is known.
  updated_at timestamptz not null,
  unique (kind, client_reference)
);

create table verification_file (
  verification_id uuid not null references verification,
  file_id uuid not null unique,
  kind text not null,
  content_type text not null,
  size_bytes integer not null,
  sha256 text not null,
  bytes_sealed bytea not null,
  created_at timestamptz not null,
  primary key (verification_id, kind)
);

-- What was handed in to be signed, once for the same bytes.
create table verification_upload (
  sha256 text primary key,
  file_id uuid not null unique,
  size_bytes integer not null,
  bytes_sealed bytea not null,
  created_at timestamptz not null
);

create table verification_callback (
  event_id uuid primary key,
  verification_id uuid not null references verification,
  url text not null,
  body_sealed bytea not null,
  created_at timestamptz not null,
  tried_at timestamptz,
  tries integer not null,
  -- What was answered last: a status, or why there was none.
  answer text
);
create index verification_callback_of on verification_callback (verification_id, created_at);

create table bureau_report (
  report_id uuid primary key,
  client_reference text not null unique,
  content_digest bytea not null,
  report_sealed bytea not null,
  pulled_at timestamptz not null
);

create table bureau_file (
  report_id uuid not null references bureau_report,
  file_id uuid not null unique,
  kind text not null,
  size_bytes integer not null,
  sha256 text not null,
  bytes_sealed bytea not null,
  primary key (report_id, kind)
);

-- mailbox

-- Mail that the platform and the partner sent, and what was answered or written in their stead who got it.
create table mailbox_mail (
  mail_id uuid primary key,
  -- Whether it was sent from the mailbox.
  is_sent boolean not null,
  -- Of every address of its envelope, in lower case.
  address_digests bytea[] not null,
  -- Envelope, subject and the beginning of the text.
  head_sealed bytea not null,
  message_sealed bytea not null,
  at timestamptz not null
);

-- mfcentral

-- MF Central: its clients with their public keys, and the statements that they ask for.
create table mf_client (
  client_id text primary key,
  -- Each of its processes may have a key of its own.
  keys jsonb not null,
  updated_at timestamptz not null
);

create table mf_request (
  request_id bigint primary key generated always as identity (start with 2400001),
  client_id text not null,
  client_ref_no text not null,
  otp_ref uuid not null,
  -- Whose statement it is, and where the browser goes back to.
  request_sealed bytea not null,
  status text not null check (status in ('PENDING', 'SHARED', 'EMPTY', 'DECLINED')),
  -- The fund houses that the investor chose.
  companies text[] not null default '{}',
  created_at timestamptz not null,
  unique (client_id, client_ref_no)
);
