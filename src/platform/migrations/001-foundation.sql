-- Every key begins with tenant_id, so that one server, a cluster and a sharded one run the same code.
-- Columns that end in _sealed hold AES-256-GCM; *_digest columns are keyed digests for look-up.

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
  primary key (tenant_id, job_id),
  unique (tenant_id, kind, key)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index job_due on job (kind, due_at);

-- access

create table tenant (
  tenant_id uuid primary key,
  name text not null,
  created_at timestamptz not null
);

create table application (
  tenant_id uuid not null references tenant,
  application_id uuid not null,
  name text not null,
  -- Pages that may embed the hosted journey, as exact origins.
  origins text[] not null default '{}',
  products text[] not null default '{PERSONAL_LOAN}',
  created_at timestamptz not null,
  primary key (tenant_id, application_id)
);

create table api_key (
  tenant_id uuid not null,
  key_id text not null,
  application_id uuid not null,
  label text not null,
  digest bytea not null,
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_on date,
  primary key (tenant_id, key_id),
  foreign key (tenant_id, application_id) references application
);

-- The single-use token in the fragment of an embed URL, and the session that it is traded for.
create table embed_token (
  tenant_id uuid not null,
  token_id text not null,
  digest bytea not null,
  journey_id uuid not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (tenant_id, token_id)
) with (autovacuum_vacuum_scale_factor = 0.02);

create table embed_session (
  tenant_id uuid not null,
  session_id text not null,
  digest bytea not null,
  journey_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant_id, session_id)
);

create table idempotency (
  tenant_id uuid not null,
  principal text not null,
  operation text not null,
  key text not null,
  content_digest bytea not null,
  status smallint not null,
  outcome_sealed bytea not null,
  recorded_at timestamptz not null,
  primary key (tenant_id, principal, operation, key)
);

-- borrower

create table borrower (
  tenant_id uuid not null,
  borrower_id uuid not null,
  external_id text not null,
  mobile_digest bytea not null,
  created_at timestamptz not null,
  primary key (tenant_id, borrower_id),
  unique (tenant_id, external_id)
);

-- journey

create table journey (
  tenant_id uuid not null,
  journey_id uuid not null,
  application_id uuid not null,
  borrower_id uuid not null,
  type text not null,
  status text not null,
  active boolean not null,
  network_transaction_id uuid not null,
  end_use text,
  bureau_consent boolean not null default false,
  lender_mode text,
  change_in_offer boolean not null default false,
  preferred_amount_paise bigint,
  preferred_tenure_months integer,
  decision text,
  -- How the question to the lenders stands: NONE, OPEN, CLOSED, UNANSWERED.
  search text not null default 'NONE',
  -- Why it ended without a loan, in words for the borrower.
  end_reason text,
  callback_url_sealed bytea,
  -- The newest lifecycle event that the hosted page has passed to its parent window.
  page_sequence integer not null default 0,
  version integer not null default 1,
  last_borrower_act_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, journey_id)
);
create unique index journey_active on journey (tenant_id, borrower_id, application_id, type) where active;
create index journey_idle on journey (last_borrower_act_at) where active and status <> 'DISBURSED';
create index journey_by_transaction on journey (network_transaction_id);

create table lifecycle_event (
  tenant_id uuid not null,
  journey_id uuid not null,
  status text not null,
  sequence integer not null,
  event_id uuid not null,
  payload_sealed bytea not null,
  at timestamptz not null,
  primary key (tenant_id, journey_id, status),
  unique (tenant_id, journey_id, sequence)
);

-- webhook

create table webhook_endpoint (
  tenant_id uuid not null,
  endpoint_id uuid not null,
  application_id uuid not null,
  url text not null,
  -- The lifecycle statuses it wants to hear of; null for all.
  statuses text[],
  secret_sealed bytea not null,
  old_secret_sealed bytea,
  old_secret_until timestamptz,
  created_at timestamptz not null,
  disabled_at timestamptz,
  disabled_because text,
  primary key (tenant_id, endpoint_id)
);
create index webhook_endpoint_of_application on webhook_endpoint (tenant_id, application_id);

create table webhook_delivery (
  tenant_id uuid not null,
  application_id uuid not null,
  -- The event's id with the destination's folded in: one delivery per event and destination, however often it is asked for.
  delivery_id uuid not null,
  -- The endpoint; for a journey's own callbackUrl a digest of its origin, so that one dead host is one destination.
  destination_id uuid not null,
  callback_url_sealed bytea,
  journey_id uuid not null,
  sequence integer not null,
  status text not null,
  event_id uuid not null,
  body_sealed bytea not null,
  state text not null check (state in ('PENDING', 'DELIVERED', 'EXHAUSTED', 'STOPPED')),
  -- When it may be tried; while a worker holds it, the end of its lease, by which the worker is known.
  due_at timestamptz check ((due_at is not null) = (state = 'PENDING')),
  attempt integer not null default 0,
  last_answer text,
  last_attempt_at timestamptz,
  delivered_at timestamptz,
  created_at timestamptz not null,
  correlation_id text,
  primary key (tenant_id, application_id, delivery_id)
) with (autovacuum_vacuum_scale_factor = 0.02);
create index webhook_delivery_due on webhook_delivery (due_at) where due_at is not null;
create index webhook_delivery_line on webhook_delivery (tenant_id, journey_id, sequence);

-- profile

create table profile (
  tenant_id uuid not null,
  journey_id uuid not null,
  profile_sealed bytea not null,
  submitted_at timestamptz,
  updated_at timestamptz not null,
  primary key (tenant_id, journey_id)
);

-- Append-only: who agreed to which text, when, from where.
create table consent (
  tenant_id uuid not null,
  journey_id uuid not null,
  consent_id uuid not null,
  purpose text not null,
  text_version text not null,
  language text not null,
  channel text not null,
  ip_sealed bytea,
  given_at timestamptz not null,
  primary key (tenant_id, journey_id, consent_id)
);

-- network

-- A lender on the network, as it last introduced itself.
create table lender (
  tenant_id uuid not null,
  lender_id uuid not null,
  bpp_id text not null,
  provider_id text not null,
  identity jsonb not null,
  updated_at timestamptz not null,
  primary key (tenant_id, lender_id),
  unique (tenant_id, bpp_id, provider_id)
);

-- One conversation per lender and item inside a journey's transaction.
create table conversation (
  tenant_id uuid not null,
  journey_id uuid not null,
  conversation_id uuid not null,
  lender_id uuid not null,
  bpp_id text not null,
  bpp_uri text not null,
  provider_id text not null,
  item_id text not null,
  stage text not null,
  -- The form or page that is due or was answered last, and the reference of its answer.
  form_id text,
  form_url text,
  form_heading text,
  submission_id text,
  -- Whether the lender took the profile form.
  form_received boolean not null default false,
  -- The ON_ORDER payment as the lender named it.
  payment_id text,
  order_id text,
  -- What we wait for, the message that would be answered, until when, and how often it was asked.
  awaited_action text,
  awaited_message_id text,
  awaited_until timestamptz,
  awaited_try smallint not null default 0,
  -- The newest timestamp either side wrote: the next one must be later.
  last_said_at timestamptz,
  ended_because text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, journey_id, conversation_id),
  unique (tenant_id, journey_id, bpp_id, provider_id, item_id)
);

-- Everything sent and received, encrypted, for audit; what is still to be sent lies here too.
create table network_message (
  tenant_id uuid not null,
  journey_id uuid not null,
  message_key uuid not null,
  conversation_id uuid,
  direction text not null check (direction in ('sent', 'received')),
  party text not null,
  action text not null,
  message_id text not null,
  url_sealed bytea,
  headers_sealed bytea,
  body_sealed bytea not null,
  answer_sealed bytea,
  -- ACK, NACK and its code, UNREACHED, EXPIRED; null while unsent.
  outcome text,
  -- When it was first sent, or received; until then when it was written.
  at timestamptz not null,
  expires_at timestamptz,
  sent_at timestamptz,
  tries integer not null default 0,
  primary key (tenant_id, journey_id, message_key)
);
create unique index network_message_request on network_message (tenant_id, journey_id, message_id, action) where direction = 'sent';

-- What happened to a journey out there, once each: stored before it is acknowledged, applied in order, one at a time.
create table happening (
  tenant_id uuid not null,
  journey_id uuid not null,
  happening_id uuid not null,
  number integer not null,
  type text not null,
  -- Of two happenings with one key the second is the first one told again.
  key text not null,
  conversation_id uuid,
  -- Its message, when it came as one.
  message_key uuid,
  detail_sealed bytea,
  late boolean not null default false,
  at timestamptz not null,
  state text not null default 'WAITING' check (state in ('WAITING', 'APPLIED', 'IGNORED', 'SET_ASIDE')),
  attempt integer not null default 0,
  retry_at timestamptz,
  applied_at timestamptz,
  note text,
  primary key (tenant_id, journey_id, happening_id),
  unique (tenant_id, journey_id, number),
  unique (tenant_id, journey_id, key)
);
create index happening_waiting on happening (tenant_id, journey_id, number) where state = 'WAITING';

-- offer

create table offer (
  tenant_id uuid not null,
  journey_id uuid not null,
  offer_id uuid not null,
  conversation_id uuid not null,
  lender_id uuid not null,
  -- Awaited, received, none: what the lender has said so far.
  status text not null,
  reason text,
  terms jsonb,
  first_terms jsonb,
  -- What the lender's catalogue says a borrower may ask for; amounts in paise.
  limits jsonb not null,
  final_terms boolean not null default false,
  accepted boolean not null default false,
  selected_at timestamptz,
  accepted_at timestamptz,
  rejected_at timestamptz,
  valid_until timestamptz,
  installments jsonb not null default '[]',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, journey_id, offer_id),
  unique (tenant_id, journey_id, conversation_id)
);
create unique index offer_selected on offer (tenant_id, journey_id) where selected_at is not null and rejected_at is null;

-- step

create table step (
  tenant_id uuid not null,
  journey_id uuid not null,
  name text not null,
  status text not null,
  attempts integer not null default 0,
  resource_url text,
  form_id text,
  diagnostics jsonb,
  bank_sealed bytea,
  updated_at timestamptz not null,
  primary key (tenant_id, journey_id, name)
);
