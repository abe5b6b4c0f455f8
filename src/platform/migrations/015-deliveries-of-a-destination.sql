-- A destination with a backlog is read by itself, so that nobody else's deliveries are passed over on the way.
create index webhook_delivery_waiting on webhook_delivery (tenant_id, destination_id, due_at) where due_at is not null;
