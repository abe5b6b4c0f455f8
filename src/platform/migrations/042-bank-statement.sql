-- A borrower of the lending partner is asked for bank statements: each try, and what the analyser made of it (D3 §2.3 banking).
create table partner_statement (
  tenant_id uuid not null,
  case_ref uuid not null,
  attempt smallint not null,
  source text not null check (source in ('STATEMENT_UPLOAD', 'ACCOUNT_AGGREGATOR')),
  -- DECLINED: the borrower went on without one; nobody was asked then.
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
  primary key (tenant_id, case_ref, attempt),
  check ((status = 'DECLINED') = (provider_reference is null)),
  check (status <> 'COMPLETED' or report_sealed is not null),
  check (status <> 'FAILED' or reason is not null)
);
create index partner_statement_by_reference on partner_statement (provider_reference);
