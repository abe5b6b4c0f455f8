-- The schema of the platform, by area.
-- Every key begins with tenant_id, so that one server, a cluster and a sharded one run the same code.
-- Columns that end in _sealed hold AES-256-GCM; *_digest columns are keyed digests for look-up.
-- All rows of a borrower are in one of 4096 buckets, which the ids of the rows carry. Every key of these tables has the bucket,
-- so that the tables can be distributed by it: the rows of a borrower stay together, and those of one tenant spread. The bucket
-- comes last in a key: new rows then stay together in each index, in the order of time.

-- Tables of the packages, which packages/*/src/migrations create before: what only the platform's has.

-- What waits to be done about a journey or a case.
create index job_about on job (tenant_id, (coalesce(payload->>'journeyId', payload->>'caseRef')));

create index inbox_by_correlation on inbox (correlation_id) where correlation_id is not null;
create index inbox_received on inbox using brin (received_at) with (pages_per_range = 32, autosummarize = on);
alter table inbox_entity add primary key (tenant_id, case_ref, sender, entity_type, entity_id);
alter table inbox_outcome add primary key (tenant_id, case_ref, sender, event_id);
alter table outbox
  add primary key (tenant_id, case_ref, event_id),
  add unique (tenant_id, case_ref, entity_type, entity_id, entity_version);
create index outbox_by_correlation on outbox (tenant_id, correlation_id) where correlation_id is not null;
create index outbox_times on outbox using brin (created_at, last_attempt_at)
  with (pages_per_range = 32, autosummarize = on);
alter table outbox_entity add primary key (tenant_id, case_ref, entity_type, entity_id);

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
  products text[] not null default '{PERSONAL_LOAN,GOLD_LOAN,LAMF_LOAN}',
  created_at timestamptz not null,
  primary key (tenant_id, application_id)
);

-- How the hosted page looks for an application: its name, colour, corners, font and logo. Without a row it looks as ours.
create table application_theme (
  tenant_id uuid not null,
  application_id uuid not null,
  name text not null check (length(name) between 1 and 30),
  accent text not null check (accent ~ '^#[0-9a-f]{6}$'),
  corner text not null check (corner in ('square', 'soft', 'round')),
  font text not null check (font in ('system', 'humanist', 'rounded', 'serif', 'mono')),
  logo bytea check (length(logo) <= 100000),
  logo_type text check (logo_type in ('image/png', 'image/webp', 'image/svg+xml')),
  logo_width real,
  logo_height real,
  -- The first half of the digest of its bytes, in hexadecimal: its address changes with it.
  logo_version text,
  changed_at timestamptz not null,
  primary key (tenant_id, application_id),
  foreign key (tenant_id, application_id) references application,
  check ((logo is null) = (logo_type is null) and (logo is null) = (logo_width is null)
    and (logo is null) = (logo_height is null) and (logo is null) = (logo_version is null))
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
  -- The version of the headless API that a key spoke first, and speaks unless a request says otherwise.
  api_version text,
  -- Networks that a key may be used from; everywhere while there are none.
  addresses text[] not null default '{}',
  primary key (tenant_id, key_id),
  foreign key (tenant_id, application_id) references application
);

-- What integrators asked of the API, kept for some days; ids are in the order of time.
create table api_request (
  tenant_id uuid not null,
  request_id uuid not null,
  application_id uuid not null,
  -- Null for a borrower's session.
  key_id text,
  -- Named by the path; a request that began a journey shares a correlation id with its first update.
  journey_id uuid,
  correlation_id text not null,
  method text not null,
  -- As the reference has it, with parameters in braces.
  route text not null,
  path text not null,
  status smallint not null,
  took_ms integer not null,
  -- The code of the refusal.
  error text,
  -- What was sent and answered, without what is personal.
  bodies_sealed bytea,
  primary key (tenant_id, request_id)
);
create index api_request_correlation on api_request (tenant_id, correlation_id);
create index api_request_journey on api_request (tenant_id, journey_id, request_id) where journey_id is not null;
create index api_request_failed on api_request (tenant_id, request_id) where status >= 400;

-- The single-use token in the fragment of an embed URL, and the session that it is traded for.
create table embed_token (
  tenant_id uuid not null,
  token_id text not null,
  digest bytea not null,
  journey_id uuid not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, token_id, bucket)
) with (autovacuum_vacuum_scale_factor = 0.02);

create table embed_session (
  tenant_id uuid not null,
  session_id text not null,
  digest bytea not null,
  journey_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, session_id, bucket)
);

-- A pair of tokens of a borrower. A family is every pair that one bootstrap led to: of it at most one is neither
-- rotated nor revoked.
create table headless_session (
  tenant_id uuid not null,
  session_id text not null,
  session_digest bytea not null,
  refresh_id text not null,
  refresh_digest bytea not null,
  family_id uuid not null,
  application_id uuid not null,
  borrower_id uuid not null,
  api_version text not null,
  created_at timestamptz not null,
  session_expires_at timestamptz not null,
  refresh_expires_at timestamptz not null,
  rotated_at timestamptz,
  revoked_at timestamptz,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, session_id, bucket)
) with (autovacuum_vacuum_scale_factor = 0.02);
create index headless_session_family on headless_session (tenant_id, family_id);
-- The refresh id is drawn at random: its uniqueness needs no key.
create index headless_session_refresh on headless_session (tenant_id, refresh_id);

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

-- staff

-- Who signs in to the console: people of a tenant and, under the nil tenant, people of the platform.
create table person (
  tenant_id uuid not null,
  person_id uuid not null,
  email_digest bytea not null,
  -- E-mail address and name.
  identity_sealed bytea not null,
  role text not null check (case when tenant_id = '00000000-0000-0000-0000-000000000000'
    then role in ('viewer', 'operator', 'grievance-officer', 'admin')
    else role in ('viewer', 'developer', 'support', 'admin') end),
  password_hash text not null,
  created_at timestamptz not null,
  removed_at timestamptz,
  primary key (tenant_id, person_id)
);

-- Whose an e-mail address is: of one person over all tenants, so it is kept under the nil tenant.
create table person_email (
  tenant_id uuid not null check (tenant_id = '00000000-0000-0000-0000-000000000000'),
  email_digest bytea not null,
  of_tenant_id uuid not null,
  person_id uuid not null,
  primary key (tenant_id, email_digest)
);

create table person_invitation (
  tenant_id uuid not null,
  invitation_id uuid not null,
  digest bytea not null,
  email_digest bytea not null,
  identity_sealed bytea not null,
  role text not null,
  -- Null at the command line.
  invited_by uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  withdrawn_at timestamptz,
  primary key (tenant_id, invitation_id)
);
create index person_invitation_open on person_invitation (tenant_id, email_digest)
  where accepted_at is null and withdrawn_at is null;

-- What people of the console write about a journey for their colleagues.
create table staff_note (
  tenant_id uuid not null,
  journey_id uuid not null,
  note_id uuid not null,
  person_id uuid not null,
  -- Written by a person of the platform: the tenant's people do not see it.
  is_platform boolean not null,
  text_sealed bytea not null,
  at timestamptz not null,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, journey_id, note_id, bucket)
);

-- Filters of the console's lists that people saved under a name, for themselves or for their colleagues.
create table staff_view (
  tenant_id uuid not null,
  view_id uuid not null,
  -- Who saved it; the nil id stands for the command line.
  person_id uuid not null,
  list text not null,
  name text not null check (length(name) between 1 and 60),
  -- As canonical JSON: the values of filters by their names, never personal data.
  filters text not null check (length(filters) <= 2000),
  is_shared boolean not null,
  version integer not null,
  changed_at timestamptz not null,
  primary key (tenant_id, view_id)
);
create index staff_view_person on staff_view (tenant_id, person_id, list);

-- Everything that people did. `digest` is SHA-256 of the digest of the entry before and of this one's canonical JSON.
create table audit_entry (
  tenant_id uuid not null,
  sequence integer not null,
  at timestamptz not null,
  -- Null at the command line.
  person_id uuid,
  act text not null,
  subject text,
  -- Canonical JSON, kept as the text that was digested.
  detail text not null,
  digest bytea not null,
  primary key (tenant_id, sequence)
);
create index audit_entry_of_subject on audit_entry (tenant_id, subject) where subject is not null;

-- borrower

create table borrower (
  tenant_id uuid not null,
  borrower_id uuid not null,
  external_id text not null,
  mobile_digest bytea not null,
  created_at timestamptz not null,
  -- What an integrator's server said of the borrower when it opened a session, for the next journey.
  prefill_sealed bytea,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, borrower_id, bucket),
  unique (tenant_id, external_id, bucket)
);
create index borrower_by_mobile on borrower (tenant_id, mobile_digest);

create table profile (
  tenant_id uuid not null,
  journey_id uuid not null,
  profile_sealed bytea not null,
  submitted_at timestamptz,
  updated_at timestamptz not null,
  -- The console finds journeys by these.
  pan_digest bytea,
  email_digest bytea,
  official_email_digest bytea,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, journey_id, bucket)
);
create index profile_by_pan on profile (tenant_id, pan_digest) where pan_digest is not null;
create index profile_by_email on profile (tenant_id, email_digest) where email_digest is not null;
create index profile_by_official_email on profile (tenant_id, official_email_digest) where official_email_digest is not null;

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
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, journey_id, consent_id, bucket)
);

-- The withdrawal of a consent: a record of its own, since the record of a consent is never changed.
create table consent_withdrawal (
  tenant_id uuid not null,
  journey_id uuid not null,
  consent_id uuid not null,
  channel text not null,
  ip_sealed bytea,
  withdrawn_at timestamptz not null,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, journey_id, consent_id, bucket)
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
  -- State of the search for lenders: NONE, OPEN, CLOSED, UNANSWERED.
  search text not null default 'NONE',
  -- Why it ended without a loan, as a code; words of a lender stay as they came.
  end_reason text,
  callback_url_sealed bytea,
  -- The newest lifecycle event that the hosted page has passed to its parent window.
  page_sequence integer not null default 0,
  version integer not null default 1,
  last_borrower_act_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When the loan was repaid (D2 §2.2 CLOSED).
  closed_at timestamptz,
  -- The browser page that holds the journey now: another one stops when this changes. And where the page leads back to.
  page_id text,
  return_url_sealed bytea,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, journey_id, bucket)
);
create index journey_idle on journey (last_borrower_act_at) where active and status <> 'DISBURSED';
create index journey_by_transaction on journey (network_transaction_id);
create index journey_of_borrower on journey (tenant_id, borrower_id, journey_id);
-- A list of journeys reads, for each application, product and status that is wanted, its newest ones.
create index journey_listed on journey (tenant_id, application_id, type, status, journey_id);
create unique index journey_active on journey (tenant_id, borrower_id, application_id, type, bucket) where active;

-- What an app keeps with a journey for itself: its metadata, and where its screens left off.
create table journey_note (
  tenant_id uuid not null,
  journey_id uuid not null,
  metadata_sealed bytea,
  last_completed_step text,
  last_viewed_offer_id uuid,
  updated_at timestamptz not null,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, journey_id, bucket)
);

create table lifecycle_event (
  tenant_id uuid not null,
  journey_id uuid not null,
  status text not null,
  sequence integer not null,
  event_id uuid not null,
  payload_sealed bytea not null,
  at timestamptz not null,
  -- The request or job in which a journey moved.
  correlation_id text,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, journey_id, status, bucket),
  unique (tenant_id, journey_id, sequence, bucket)
);
create index lifecycle_event_by_correlation on lifecycle_event (tenant_id, correlation_id) where correlation_id is not null;
-- The figures find new rows by time. A block range index is a few bytes for each megabyte: writing a row adds no entry to it,
-- and a row whose instants change may stay on its page. The other tables with such an index have it for the same reason.
create index lifecycle_event_at on lifecycle_event using brin (at) with (pages_per_range = 32, autosummarize = on);

-- What was accepted to be done later; how it goes is read off the journey.
create table operation (
  tenant_id uuid not null,
  journey_id uuid not null,
  operation_id uuid not null,
  kind text not null,
  started_at timestamptz not null,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, journey_id, operation_id, bucket)
);

-- What an integrator knew of a borrower beyond the profile when it began a hybrid journey: kept as it was said.
create table hybrid_prefill (
  tenant_id uuid not null,
  journey_id uuid not null,
  prefill_sealed bytea not null,
  updated_at timestamptz not null,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, journey_id, bucket)
);

-- What an integrator knows of a borrower's mutual funds, as it said it; and whether a line of credit or a term loan is wanted.
create table portfolio (
  tenant_id uuid not null,
  journey_id uuid not null,
  mfc_sealed bytea,
  product_type text check (product_type in ('CREDIT_LINE', 'TERM_LOAN')),
  facility_type text check (facility_type in ('OVERDRAFT', 'TERM')),
  updated_at timestamptz not null,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, journey_id, bucket)
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
  -- While an endpoint is paused, what is to be delivered to it waits in its order.
  paused_at timestamptz,
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
  -- How often it was tried in all, replays included, and how long the last try took.
  tries integer not null default 0,
  took_ms integer,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, application_id, delivery_id, bucket)
) with (autovacuum_vacuum_scale_factor = 0.02);
create index webhook_delivery_due on webhook_delivery (due_at) where due_at is not null;
create index webhook_delivery_line on webhook_delivery (tenant_id, journey_id, sequence);
-- A destination with a backlog is read by itself, so that the reader skips no deliveries of others.
create index webhook_delivery_waiting on webhook_delivery (tenant_id, destination_id, due_at) where due_at is not null;
-- What an endpoint never got is found without passing over what it got.
create index webhook_delivery_missed on webhook_delivery (tenant_id, destination_id, delivery_id)
  where state in ('EXHAUSTED', 'STOPPED');
create index webhook_delivery_tried on webhook_delivery using brin (last_attempt_at)
  with (pages_per_range = 32, autosummarize = on);
-- Endpoints that failed with an update which still waits are found without reading what else waits for them.
create index webhook_delivery_failing on webhook_delivery (destination_id) where due_at is not null and attempt > 0;

-- The last tries of a delivery. A first try that succeeded has no row: the delivery says all of it.
create table webhook_try (
  tenant_id uuid not null,
  application_id uuid not null,
  delivery_id uuid not null,
  -- From 1; replays count on.
  number integer not null,
  state text not null check (state in ('PENDING', 'DELIVERED', 'EXHAUSTED', 'STOPPED')),
  answer text not null,
  -- The beginning of the answer's body.
  answer_sealed bytea,
  took_ms integer not null,
  at timestamptz not null,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, application_id, delivery_id, number, bucket)
);

-- Many deliveries once more: what was chosen, and how far it is.
create table webhook_replay (
  tenant_id uuid not null,
  replay_id uuid not null,
  -- Which deliveries were chosen.
  filter jsonb not null,
  state text not null check (state in ('RUNNING', 'STOPPED', 'DONE')),
  -- Updates that are made due in a second.
  per_second integer not null check (per_second > 0),
  journeys integer not null,
  updates integer not null,
  journeys_done integer not null default 0,
  updates_done integer not null default 0,
  -- Journeys whose destination was gone or disabled when their turn came.
  journeys_skipped integer not null default 0,
  -- Of the console; null at the command line.
  person_id uuid,
  started_at timestamptz not null,
  ended_at timestamptz check ((ended_at is not null) = (state <> 'RUNNING')),
  primary key (tenant_id, replay_id)
);

-- Journeys whose turn has not come yet.
create table webhook_replay_journey (
  tenant_id uuid not null,
  replay_id uuid not null,
  journey_id uuid not null,
  destination_id uuid not null,
  application_id uuid not null,
  -- From this update on everything is sent again.
  from_sequence integer not null,
  -- Where an update is on its way at the moment, its turn comes later.
  turn_at timestamptz not null,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, replay_id, journey_id, destination_id, bucket)
);
create index webhook_replay_turn on webhook_replay_journey (tenant_id, replay_id, turn_at);

-- When, and at which addresses, a tenant is alerted that one of its webhook endpoints fails. Without a row the defaults apply.
create table webhook_alert_setting (
  tenant_id uuid primary key,
  enabled boolean not null,
  -- Tries that failed since the last success.
  failures integer not null check (failures between 1 and 1000),
  -- How long an update that was tried may wait.
  waiting_minutes integer not null check (waiting_minutes between 1 and 10080),
  -- Addresses; null for the admins and developers of the tenant.
  emails_sealed bytea,
  -- Endpoints that receive the alert as a signed event.
  endpoint_ids uuid[] not null,
  updated_at timestamptz not null
);

-- A period in which an endpoint failed, of which its tenant was alerted.
create table webhook_outage (
  tenant_id uuid not null,
  outage_id uuid not null,
  endpoint_id uuid not null,
  why text not null check (why in ('FAILURES', 'WAITING', 'DISABLED')),
  failures integer not null,
  waiting_since timestamptz,
  last_answer text,
  began_at timestamptz not null,
  ended_at timestamptz,
  primary key (tenant_id, outage_id)
);
create unique index webhook_outage_open on webhook_outage (tenant_id, endpoint_id) where ended_at is null;

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

-- Lenders that are switched off: of one tenant, or of all under the nil tenant. Earlier switches are in the audit log.
-- A lending partner is here as its sender and 'partner'.
create table lender_switch (
  tenant_id uuid not null,
  bpp_id text not null,
  provider_id text not null,
  reason text not null,
  -- Null for the command line.
  person_id uuid,
  off_at timestamptz not null,
  primary key (tenant_id, bpp_id, provider_id)
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
  last_message_at timestamptz,
  ended_because text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The branch that the borrower chose for a gold loan: named to the lender with the choice of amount and term.
  branch_id text,
  -- The offer, a child of the item that was asked about, and how it is carried out.
  offered_item_id text,
  fulfillment_id text,
  -- The lender's terms with us, which are repeated to it when the loan is taken.
  lender_terms jsonb,
  -- A lender may make two offers in one transaction, each on an item of its own: what a request for the second one needs.
  second_item_id text,
  profile_form_id text,
  profile_submission_id text,
  -- The item that a lender's answers name, where it differs from the requested one; and the categories of its catalogue, each
  -- with its parent, since later answers carry none.
  parent_item_id text,
  categories jsonb,
  -- Where the profile form is sent again with another handle of an account aggregator.
  profile_form_url text,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, journey_id, conversation_id, bucket),
  unique (tenant_id, journey_id, bpp_id, provider_id, item_id, bucket)
);
create index conversation_by_order on conversation (tenant_id, order_id) where order_id is not null;
-- The newest conversations of a lender; an entry is written once, with the conversation.
create index conversation_of_lender on conversation (tenant_id, lender_id, conversation_id);

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
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, journey_id, message_key, bucket)
);
create index network_message_at on network_message using brin (at) with (pages_per_range = 32, autosummarize = on);
create unique index network_message_request on network_message (tenant_id, journey_id, message_id, action, bucket)
  where direction = 'sent';

-- What happened to a journey outside, once each: stored before it is acknowledged, applied in order, one at a time.
create table inbound_message (
  tenant_id uuid not null,
  journey_id uuid not null,
  inbound_message_id uuid not null,
  number integer not null,
  type text not null,
  -- A second message with the same key is a repetition.
  key text not null,
  conversation_id uuid,
  -- Its message, when it came as one.
  message_key uuid,
  detail_sealed bytea,
  late boolean not null default false,
  at timestamptz not null,
  -- NOT_UNDERSTOOD: the message moved nothing and names a state that is not published.
  state text not null default 'WAITING' check (state in ('WAITING', 'APPLIED', 'NOT_UNDERSTOOD', 'IGNORED', 'SET_ASIDE')),
  attempt integer not null default 0,
  retry_at timestamptz,
  applied_at timestamptz,
  note text,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, journey_id, inbound_message_id, bucket),
  unique (tenant_id, journey_id, key, bucket),
  unique (tenant_id, journey_id, number, bucket)
);
create index inbound_message_waiting on inbound_message (tenant_id, journey_id, number) where state = 'WAITING';

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
  -- The amount to ask for when this offer is chosen; null for all of it.
  requested_amount_paise bigint,
  -- Where the choice was made: hosted, headless, sandbox.
  lock_source text,
  -- How far the borrower had come, and why it was turned down, in the app's or the borrower's words.
  rejected_stage text,
  rejected_because text,
  -- How its lender is spoken with: over the open network, or by the partner exchange.
  via text not null default 'NETWORK' check (via in ('NETWORK', 'PARTNER')),
  -- Branches at which the lender takes gold in; empty for a loan that needs no visit.
  branches jsonb not null default '[]',
  -- The one that the borrower chose, and who waits there.
  branch_id text,
  agent jsonb,
  -- When the lender said that a visit is booked.
  visit_booked_at timestamptz,
  -- What the lender asks to be pledged for all of it, scheme by scheme; empty for other loans.
  schemes jsonb not null default '[]',
  -- The units that the borrower pledges.
  pledges jsonb not null default '[]',
  -- The lender handles everything after the choice on one page of its own.
  own_page boolean not null default false,
  -- Against mutual funds there are loans and credit lines; the borrower sees which one an offer is.
  credit_line boolean not null default false,
  -- What the lender decided the offer by.
  assessment text check (assessment in ('bureau', 'account-aggregator')),
  -- A credit line since its lender opened it: how much may be drawn, how much is drawn, and since when.
  line_opened_at timestamptz,
  line_limit_paise bigint,
  line_utilised_paise bigint,
  line_changed_at timestamptz,
  bucket smallint not null check (bucket between 0 and 4095),
  -- The lender's documents for the borrower: agreement, sanction, how to leave the loan. A link to one opens without sign-in.
  documents_sealed bytea,
  primary key (tenant_id, journey_id, offer_id, bucket),
  unique (tenant_id, journey_id, conversation_id, bucket)
);
create index offer_times on offer using brin (created_at, updated_at) with (pages_per_range = 32, autosummarize = on);
-- Running applications of a lender are counted before it is switched off; an offer enters this index once, when it is chosen.
create index offer_chosen_of_lender on offer (tenant_id, lender_id) where selected_at is not null and rejected_at is null;
create unique index offer_selected on offer (tenant_id, journey_id, bucket)
  where selected_at is not null and rejected_at is null;

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
  -- Which page of the lender's it is, where a step has more than one.
  heading text,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, journey_id, name, bucket)
);

-- aa

-- One consent that a lender asks for, from the handle to the lender's answer. D2 §2.2 AASessionState.
create table aa_session (
  tenant_id uuid not null,
  journey_id uuid not null,
  aa_session_id uuid not null,
  offer_id uuid not null,
  conversation_id uuid not null,
  -- Before the offer, or to watch the account of a running loan.
  purpose text not null check (purpose in ('UNDERWRITING', 'MONITORING')),
  aggregator_id text not null,
  -- Null until the borrower names another handle (handle_wanted): the lender did not know the first one.
  consent_handle text,
  -- The borrower at the aggregator: a mobile number, or a name of their own.
  aa_id_sealed bytea not null,
  state text not null check (state in ('REQUIRED', 'REDIRECT_READY', 'IN_PROGRESS', 'USER_RETURNED',
    'APPROVAL_DISPATCHED', 'RECONCILING', 'CONFIRMED', 'NOT_REQUIRED', 'FAILED', 'EXPIRED')),
  -- The newest redirection; null before the first one.
  txnid uuid,
  reqdate text,
  expires_at timestamptz,
  redirects integer not null default 0,
  -- What the newest return claimed.
  returned_code smallint,
  consent_id text,
  -- When the approval was sent to the lender.
  dispatched_at timestamptz,
  reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  handle_wanted boolean not null default false,
  -- Several adapters may be configured: the one that began a session finishes it.
  adapter text not null,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, journey_id, aa_session_id, bucket),
  unique (tenant_id, journey_id, conversation_id, consent_handle, bucket)
);

-- Every redirection that was made, and what came back of it.
create table aa_redirect (
  tenant_id uuid not null,
  journey_id uuid not null,
  aa_session_id uuid not null,
  txnid uuid not null,
  reqdate text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  returned_at timestamptz,
  returned_code smallint,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, journey_id, aa_session_id, txnid, bucket)
);

-- fund statement

-- A borrower without a statement of mutual funds fetches one from the registrars: each try, and what became of it (FIS12 §10.1).
create table fund_statement (
  tenant_id uuid not null,
  journey_id uuid not null,
  attempt smallint not null,
  bucket smallint not null check (bucket between 0 and 4095),
  adapter text not null,
  provider_reference text not null,
  status text not null check (status in ('PENDING', 'READY', 'FAILED')),
  reason text,
  -- Until then the borrower's page at the registrar is open.
  page_ends_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, journey_id, attempt, bucket),
  check ((status = 'FAILED') = (reason is not null))
);

-- servicing

-- What a borrower asked of the lender after disbursal, and the payment that came of it.
create table servicing (
  tenant_id uuid not null,
  journey_id uuid not null,
  operation_id uuid not null,
  kind text not null,
  status text not null,
  -- What the borrower wants to repay early, and what the lender asks for.
  requested_paise bigint,
  amount_paise bigint,
  -- The payment as the lender names it, and its page while it is open.
  payment_id text,
  url text,
  transaction_id text,
  -- Why it came to nothing, as a code; words of a lender stay as they came.
  reason text,
  -- How often the lender was asked; 0 while it waits for its turn.
  asks smallint not null default 0,
  requested_at timestamptz not null,
  updated_at timestamptz not null,
  -- What was paid: a lender may confirm another amount than its page had asked for.
  paid_paise bigint,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, journey_id, operation_id, bucket)
);
create index servicing_by_transaction on servicing (tenant_id, transaction_id) where transaction_id is not null;
create unique index servicing_open on servicing (tenant_id, journey_id, kind, bucket)
  where status in ('REQUESTED', 'LINK_READY');

-- complaint

-- A borrower's complaint about a loan of the network, and how far the lender has come with it.
create table grievance (
  tenant_id uuid not null,
  journey_id uuid not null,
  -- Also the id under which the lender knows it.
  grievance_id uuid not null,
  conversation_id uuid not null,
  topic text not null,
  category text not null,
  sub_category text not null,
  status text not null,
  -- ISSUE, and GRIEVANCE once it was escalated.
  issue_type text not null,
  rating text,
  -- What the lender says that it does; it books nothing.
  resolution_action text,
  refund_paise bigint,
  -- Counted from when it was raised or escalated.
  since_at timestamptz not null,
  response_due_at timestamptz not null,
  resolution_due_at timestamptz not null,
  -- When the lender was found to be late with its first answer, and when escalation was offered to the borrower.
  late_at timestamptz,
  escalation_offered_at timestamptz,
  -- Our newest issue message, and the code with which a message was turned away.
  request_id text not null,
  refused_code text,
  -- Who complains, of what, and everything that both sides said.
  detail_sealed bytea not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, journey_id, grievance_id, bucket)
);
create index grievance_by_id on grievance (tenant_id, grievance_id);

-- A borrower's complaint, about a loan, a lender, the app or the platform: with a number, an officer and a clock.
create table complaint (
  -- The platform's own tenant while the tenant of the borrower is unknown.
  tenant_id uuid not null,
  complaint_id uuid not null,
  -- Shown to the borrower, as GR-2611-7K3Q9; and the tag in the address of e-mail replies.
  number text not null,
  reply_tag text not null,
  origin text not null,
  category text not null,
  status text not null,
  -- Who answers: PLATFORM, NETWORK (a grievance is with the lender) or LENDER_MAIL.
  route text not null,
  language text not null,
  journey_id uuid,
  borrower_id uuid,
  lender_id uuid,
  grievance_id uuid,
  -- The lender's newest status on the network that the thread shows.
  mirrored_status text,
  -- Name, e-mail and mobile of the borrower; and the digest of the address that replies must come from.
  contact_sealed bytea not null,
  contact_digest bytea,
  -- Of the platform's people.
  assignee_id uuid,
  -- Counted up by every change: of two officers who act at once the second is refused.
  version integer not null,
  received_at timestamptz not null,
  -- From when the times run: received, or reopened.
  since_at timestamptz not null,
  first_answer_due_at timestamptz not null,
  resolution_due_at timestamptz not null,
  -- When the borrower may go to the regulator's ombudsman.
  limit_at timestamptz not null,
  first_answered_at timestamptz,
  resolved_at timestamptz,
  closed_at timestamptz,
  escalated_at timestamptz,
  escalated_because text,
  ombudsman_at timestamptz,
  outcome text,
  satisfied boolean,
  reopened integer not null,
  merged_into uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When the borrower last wrote without an answer, a note or a mark as seen by an officer; null where nothing waits.
  replied_at timestamptz,
  primary key (tenant_id, complaint_id),
  unique (tenant_id, number),
  unique (tenant_id, reply_tag)
);
create index complaint_of_journey on complaint (tenant_id, journey_id);
create index complaint_of_contact on complaint (tenant_id, contact_digest, received_at);
create index complaint_received on complaint (tenant_id, received_at);
create index complaint_pending on complaint (tenant_id, resolution_due_at) where status not in ('RESOLVED', 'CLOSED', 'MERGED');

-- The thread of a complaint: what was said, by whom, and what happened.
create table complaint_entry (
  tenant_id uuid not null,
  complaint_id uuid not null,
  entry_id uuid not null,
  at timestamptz not null,
  author text not null,
  kind text not null,
  -- Of an EVENT, what happened.
  code text,
  -- Whether the borrower sees it.
  shown boolean not null,
  person_id uuid,
  -- Text, subject, sender, attachments, and what an event tells.
  body_sealed bytea not null,
  -- The mail that carried it: ours in the queue of mails, and its Message-ID either way.
  mail_id uuid,
  message_id text,
  -- What came from elsewhere is entered once.
  source_key text,
  primary key (tenant_id, complaint_id, entry_id),
  unique (tenant_id, complaint_id, source_key)
);
create index complaint_entry_message on complaint_entry (tenant_id, message_id) where message_id is not null;

-- The officers of the platform or of one lender that an admin has named; without a row the settings apply.
create table complaint_officer (
  tenant_id uuid not null,
  -- PLATFORM, PARTNER, or the lender of the network as subscriber and provider.
  party text not null,
  level text not null,
  contact_sealed bytea not null,
  updated_at timestamptz not null,
  primary key (tenant_id, party, level)
);

-- lending partners

-- A lender outside the network that applications are exchanged with (D3). All tenants have the same ones, so they are kept
-- under the nil tenant.
create table lending_partner (
  tenant_id uuid not null check (tenant_id = '00000000-0000-0000-0000-000000000000'),
  partner_id uuid not null,
  -- What it calls itself in its events; it never changes, because what it sent is kept by it.
  sender text not null,
  -- What borrowers read.
  name text not null,
  url text not null,
  products text[] not null,
  -- What may be recommended to it and at which price, and whom its borrowers turn to.
  rules jsonb not null,
  contact jsonb not null,
  -- What both sides know each other by, in both directions.
  credentials_sealed bytea not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, partner_id),
  unique (tenant_id, sender)
);

-- One application with a lending partner, as the platform knows it (D3 §1). Its reference is the external_reference_id.
-- A journey has one at each partner.
create table partner_case (
  tenant_id uuid not null,
  case_ref uuid not null,
  journey_id uuid not null,
  -- The partner as a lender among others; null until the first step is done.
  lender_id uuid,
  stage text not null,
  -- The duplicate check: one request id for every try of one check, and what it said.
  dedupe_request_id uuid not null,
  dedupe_sealed bytea,
  dedupe_checked_at timestamptz,
  -- What the recommendation rests on: the bureau's and the bank's word, and the recommendation itself.
  evidence_sealed bytea,
  lead_event_id uuid,
  -- The partner's own ids, reserved when it registers the lead.
  lead_id text,
  loan_id text,
  -- The final offer that holds now, by its id at the partner, and the borrower's word on it.
  offer_id text,
  decision text,
  decision_event_id uuid,
  confirmed_at timestamptz,
  -- The newest consistent Status.
  snapshot_version integer,
  snapshot_at timestamptz,
  snapshot_sealed bytea,
  ended_because text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The bank's reference (UTR) of the transfer to the borrower, as the newest snapshot says.
  bank_reference text,
  partner_id uuid not null,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, case_ref, bucket),
  unique (tenant_id, journey_id, partner_id, bucket)
);
create index partner_case_by_ref on partner_case (case_ref);
create index partner_case_by_loan on partner_case (tenant_id, loan_id) where loan_id is not null;
create index partner_case_by_bank_reference on partner_case (tenant_id, bank_reference) where bank_reference is not null;

-- A session at a KYC, mandate or e-sign provider; the newest of a kind counts.
create table partner_check (
  tenant_id uuid not null,
  case_ref uuid not null,
  kind text not null check (kind in ('kyc', 'mandate', 'esign')),
  attempt smallint not null,
  provider text not null,
  provider_reference text not null,
  url_sealed bytea not null,
  -- The provider's result in D3's words, as last sent to the partner.
  status text not null,
  verified boolean not null default false,
  result_sealed bytea,
  -- The lender's own review of a KYC.
  lender_review text check (lender_review in ('APPROVED', 'REJECTED')),
  provider_updated_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Several providers of a kind may be configured: the adapter that began a session finishes it.
  adapter text not null,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, case_ref, kind, attempt, bucket)
);

-- A borrower of the lending partner is asked for bank statements: each try, and what the analyser made of it (D3 §2.3 banking).
create table partner_statement (
  tenant_id uuid not null,
  case_ref uuid not null,
  attempt smallint not null,
  source text not null check (source in ('STATEMENT_UPLOAD', 'ACCOUNT_AGGREGATOR')),
  -- DECLINED: the borrower continued without one; no analyser was asked.
  status text not null check (status in ('PENDING', 'COMPLETED', 'FAILED', 'DECLINED')),
  adapter text not null,
  provider_reference text,
  url_sealed bytea,
  -- Why it failed, in the word of the analyser or of our own check.
  reason text,
  report_sealed bytea,
  page_ends_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, case_ref, attempt, bucket),
  check ((status = 'DECLINED') = (provider_reference is null)),
  check (status <> 'COMPLETED' or report_sealed is not null),
  check (status <> 'FAILED' or reason is not null)
);

-- The case of a provider's own reference, which carries no bucket. A reference that is given again names the newer session.
create table provider_reference (
  kind text not null check (kind in ('kyc', 'mandate', 'esign', 'bank-statement')),
  adapter text not null,
  provider_reference text not null,
  tenant_id uuid not null,
  case_ref uuid not null,
  primary key (kind, adapter, provider_reference)
);

-- What providers reported about a session, as it came: at most fifty of each.
create table provider_report (
  tenant_id uuid not null,
  case_ref uuid not null,
  kind text not null,
  attempt smallint not null,
  number smallint not null,
  status text not null,
  -- Null where the provider was asked.
  provider_event_id text,
  -- False when it was older than the known state, or a repetition.
  taken boolean not null,
  at timestamptz not null,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, case_ref, kind, attempt, number, bucket)
);

-- A file for the partner: kept until it has said that it stored it (D3 §4.3).
create table partner_document (
  tenant_id uuid not null,
  case_ref uuid not null,
  document_reference_id uuid not null,
  request_id uuid not null,
  document_type text not null,
  file_name text not null,
  content_type text not null,
  provider_reference text,
  -- Where the bytes come from: kept here when they are small, else with the provider.
  bytes_sealed bytea,
  source_sealed bytea,
  state text not null check (state in ('WAITING', 'STORED', 'REFUSED')),
  document_id text,
  sha256 text,
  refused_because text,
  created_at timestamptz not null,
  stored_at timestamptz,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, case_ref, document_reference_id, bucket)
);
-- Files that the partner has not stored, for the console.
create index partner_document_unstored on partner_document (created_at) where state <> 'STORED';

-- mail

-- What is sent. Mail of no tenant is kept under the nil tenant.
create table mail_out (
  tenant_id uuid not null,
  mail_id uuid not null,
  kind text not null check (kind in ('complaint', 'invitation', 'webhook-alert', 'report', 'sign-in', 'audit-head')),
  -- The row that it is about.
  subject_id uuid not null,
  -- Ours, and the same at each try.
  message_id text not null,
  -- Addresses, subject, text, and which files go with it.
  content_sealed bytea not null,
  state text not null check (state in ('QUEUED', 'SENT', 'FAILED')),
  tries integer not null default 0,
  next_try_at timestamptz check ((next_try_at is not null) = (state = 'QUEUED')),
  -- What the mail server answered last, addresses masked.
  answer text,
  created_at timestamptz not null,
  settled_at timestamptz check ((settled_at is not null) = (state <> 'QUEUED')),
  primary key (tenant_id, mail_id)
);
create index mail_out_about on mail_out (tenant_id, kind, subject_id, mail_id);
create index mail_out_failed on mail_out (mail_id) where state = 'FAILED';
-- Mail as the console lists it: the newest first, of all tenants, narrowed by its state or by what it is about.
create index mail_out_newest on mail_out (mail_id);
create index mail_out_of_kind on mail_out (kind, mail_id);
create index mail_out_waiting on mail_out (mail_id) where state = 'QUEUED';

-- What came in: one row for each recipient of ours.
create table mail_in (
  tenant_id uuid not null,
  mail_id uuid not null,
  -- Of its Message-ID and its recipient: a second delivery is the same mail.
  digest bytea not null,
  -- Recipient and return path.
  envelope_sealed bytea not null,
  -- The bytes as they came.
  message_sealed bytea not null,
  size_bytes integer not null,
  state text not null check (state in ('RECEIVED', 'HANDLED', 'SET_ASIDE')),
  -- Why it was set aside.
  why text check (state <> 'SET_ASIDE' or why is not null),
  received_at timestamptz not null,
  settled_at timestamptz check ((settled_at is not null) = (state <> 'RECEIVED')),
  -- Digests of what mail that comes in is limited by: its return path, the address and the thread that it was written to.
  sender_digest bytea,
  address_digest bytea,
  thread_digest bytea,
  primary key (tenant_id, mail_id),
  unique (tenant_id, digest)
);
create index mail_in_set_aside on mail_in (tenant_id, mail_id) where state = 'SET_ASIDE';
-- The oldest mail that waits to be handled is looked up every few seconds.
create index mail_in_waiting on mail_in (received_at) where state = 'RECEIVED';
create index mail_in_by_sender on mail_in (tenant_id, sender_digest, received_at) where sender_digest is not null;
create index mail_in_by_address on mail_in (tenant_id, address_digest, received_at) where address_digest is not null;
create index mail_in_by_thread on mail_in (tenant_id, thread_digest, received_at) where thread_digest is not null;

-- Files that go with mail, in and out, each kept once it was found harmless.
create table mail_file (
  tenant_id uuid not null,
  file_id uuid not null,
  content_sealed bytea not null,
  size_bytes integer not null,
  created_at timestamptz not null,
  primary key (tenant_id, file_id)
);

-- figures

-- What happened in each half hour, counted: what the console's overview is made of. Days and hours of India, whose offset is
-- five and a half hours, are whole numbers of half hours.
create table figure (
  tenant_id uuid not null,
  name text not null,
  -- HALF_HOUR, or DAY: the sum of a day of India's calendar.
  grain text not null check (grain in ('HALF_HOUR', 'DAY')),
  begins_at timestamptz not null,
  application_id uuid not null,
  product text not null,
  -- A lender or the kind of an event, and an action of the network; empty where the figure has none.
  subject text not null,
  action text not null,
  -- What it came to, or the number of the bucket of a histogram.
  outcome text not null,
  count bigint not null check (count > 0),
  primary key (tenant_id, name, grain, begins_at, application_id, product, subject, action, outcome)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
-- Half hours in which something still waits are counted again until nothing does.
create index figure_waiting on figure (name, begins_at) where grain = 'HALF_HOUR' and outcome = 'WAITING';

-- The newest turn of counting, for each tenant and history: an older turn writes nothing. Under the nil tenant the last number.
create table figure_turn (
  tenant_id uuid not null,
  history text not null,
  turn bigint not null,
  primary key (tenant_id, history)
) with (fillfactor = 50);

-- How far each history is counted; under the nil tenant, since one worker counts for all.
create table figure_progress (
  tenant_id uuid not null check (tenant_id = '00000000-0000-0000-0000-000000000000'),
  history text not null,
  -- What changed before this instant is counted.
  seen_until timestamptz not null,
  -- What happened before it was counted once more, when nothing of it could still be on its way into the database.
  checked_until timestamptz not null,
  primary key (tenant_id, history)
) with (fillfactor = 50);
