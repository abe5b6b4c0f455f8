-- Events of a loan after its payout, beside the lifecycle updates.

-- Which of them an endpoint receives; null for none.
alter table webhook_endpoint add column loan_events text[];

-- What was last told of a loan whose application has an endpoint for its events. The next events are the differences.
create table watched_loan (
  tenant_id uuid not null,
  journey_id uuid not null,
  application_id uuid not null,
  -- The number of the last event.
  sequence integer not null,
  state_sealed bytea not null,
  -- A loan that is repaid or cancelled is looked at only when its lender reports something.
  is_ended boolean not null,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, journey_id, bucket)
);
create index watched_loan_open on watched_loan (tenant_id, journey_id) where not is_ended;
