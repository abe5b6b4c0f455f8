-- What the console finds journeys by and lists them by, and what their timelines need that was not kept before.

-- Look-ups of what people hold; of rows from before, a worker makes them.
alter table profile
  add column pan_digest bytea,
  add column email_digest bytea,
  add column official_email_digest bytea,
  add column has_digests boolean not null default false;
create index profile_by_pan on profile (tenant_id, pan_digest) where pan_digest is not null;
create index profile_by_email on profile (tenant_id, email_digest) where email_digest is not null;
create index profile_by_official_email on profile (tenant_id, official_email_digest) where official_email_digest is not null;
create index profile_without_digests on profile (tenant_id, journey_id) where not has_digests;
create index borrower_by_mobile on borrower (tenant_id, mobile_digest);

-- The request or job in which a journey moved.
alter table lifecycle_event add column correlation_id text;
create index lifecycle_event_by_correlation on lifecycle_event (tenant_id, correlation_id) where correlation_id is not null;
create index outbox_by_correlation on outbox (tenant_id, correlation_id) where correlation_id is not null;
create index inbox_by_correlation on inbox (correlation_id) where correlation_id is not null;

-- The bank's reference (UTR) of the transfer to the borrower, as the newest snapshot says.
alter table partner_case add column bank_reference text;
create index partner_case_by_loan on partner_case (tenant_id, loan_id) where loan_id is not null;
create index partner_case_by_bank_reference on partner_case (tenant_id, bank_reference) where bank_reference is not null;
create index conversation_by_order on conversation (tenant_id, order_id) where order_id is not null;
create index servicing_by_transaction on servicing (tenant_id, transaction_id) where transaction_id is not null;
create index grievance_by_id on grievance (tenant_id, grievance_id);

-- A list of journeys reads, for each application, product and status that is wanted, its newest ones.
create index journey_listed on journey (tenant_id, application_id, type, status, journey_id);

-- What people did about something.
create index audit_entry_of_subject on audit_entry (tenant_id, subject) where subject is not null;

-- What waits to be done about a journey or a case.
create index job_about on job (tenant_id, (coalesce(payload->>'journeyId', payload->>'caseRef')));

-- What providers told about a session, as it came: at most fifty of each.
create table provider_report (
  tenant_id uuid not null,
  case_ref uuid not null,
  kind text not null,
  attempt smallint not null,
  number smallint not null,
  status text not null,
  -- Null where the provider was asked.
  provider_event_id text,
  -- False when it was older than what was known, or told before.
  taken boolean not null,
  at timestamptz not null,
  primary key (tenant_id, case_ref, kind, attempt, number)
);
