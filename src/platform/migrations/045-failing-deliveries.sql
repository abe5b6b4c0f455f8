-- Endpoints that failed with an update which still waits are found without reading what else waits for them.
create index webhook_delivery_failing on webhook_delivery (destination_id) where due_at is not null and attempt > 0;
