-- A feed is read from any place on.
create index concurrently if not exists webhook_delivery_given on webhook_delivery (tenant_id, destination_id, given_at, journey_id, sequence)
  where given_at is not null;
