-- The outside world: a directory, a gateway, and lenders with their conversations.
-- Columns that end in _sealed hold AES-256-GCM; tenant_id of a job is the conversation or broadcast it serves.

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
);
create index job_due on job (kind, due_at);

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
  twist text,
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
  unique (lender, bap_id, transaction_id)
);
create index conversation_recent on conversation (updated_at desc);

-- What a borrower, or the buyer app for them, filled in: one row per form, the newest filling.
create table submission (
  conversation_id uuid not null references conversation,
  heading text not null,
  submission_id uuid not null,
  digest bytea,
  outcome text not null check (outcome in ('PENDING', 'SUCCESS', 'APPROVED', 'COMPLETED', 'REJECTED', 'EXPIRED')),
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
