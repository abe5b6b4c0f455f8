-- Networks that a key may be used from; everywhere while there are none.
alter table api_key add column addresses text[] not null default '{}';

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
