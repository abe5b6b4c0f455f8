-- exchange

-- One application with the lending partner, as the platform knows it (D3 §1). Its reference is the external_reference_id.
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
  primary key (tenant_id, case_ref),
  unique (tenant_id, journey_id)
);
create index partner_case_by_ref on partner_case (case_ref);

-- A session at a KYC, mandate or e-sign provider; the newest of a kind counts.
create table partner_check (
  tenant_id uuid not null,
  case_ref uuid not null,
  kind text not null check (kind in ('kyc', 'mandate', 'esign')),
  attempt smallint not null,
  provider text not null,
  provider_reference text not null,
  url_sealed bytea not null,
  -- The provider's result in D3's words, as it was told to the partner last.
  status text not null,
  verified boolean not null default false,
  result_sealed bytea,
  -- The lender's own review of a KYC.
  lender_review text check (lender_review in ('APPROVED', 'REJECTED')),
  provider_updated_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, case_ref, kind, attempt)
);
create index partner_check_by_reference on partner_check (provider_reference);

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
  primary key (tenant_id, case_ref, document_reference_id)
);

alter table offer
  -- How its lender is spoken with: over the open network, or by the partner exchange.
  add column via text not null default 'NETWORK' check (via in ('NETWORK', 'PARTNER'));
