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
  consent_handle text not null,
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
  -- When the lender was told of the approval.
  dispatched_at timestamptz,
  reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, journey_id, aa_session_id),
  unique (tenant_id, journey_id, conversation_id, consent_handle)
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
  primary key (tenant_id, journey_id, aa_session_id, txnid)
);
