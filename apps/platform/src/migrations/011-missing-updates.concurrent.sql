-- An application lists the updates that it never got without reading those that it got.
create index concurrently if not exists webhook_delivery_missing on webhook_delivery (tenant_id, application_id, delivery_id)
  where state in ('EXHAUSTED', 'STOPPED');
