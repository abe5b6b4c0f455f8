-- The providers that verify borrowers (identity, mandates, signatures, bank statements), and the credit bureau.
-- Columns that end in _sealed hold AES-256-GCM.

create table verification (
  verification_id uuid primary key,
  kind text not null check (kind in ('kyc', 'mandate', 'esign', 'statement')),
  client_reference text not null,
  -- What was asked, by which the same request again is told from another one under its reference.
  asked_digest bytea not null,
  asked_sealed bytea not null,
  state text not null,
  reason_code text,
  -- What came of it: a mandate's number, a statement's figures.
  facts_sealed bytea not null,
  -- How often the borrower has tried in vain.
  attempt integer not null,
  twist text,
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
  asked_digest bytea not null,
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
