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
