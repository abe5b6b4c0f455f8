-- The program finds the rows with a plain digest without reading the others.
create index concurrently if not exists idempotency_plain on idempotency (tenant_id) where content_digest is not null;
create index concurrently if not exists api_request_of_borrower on api_request (tenant_id, borrower_digest) where borrower_digest is not null;
-- The answers that the sweep deletes by age. Those of a borrower's sessions go with the borrower.
create index concurrently if not exists idempotency_by_age on idempotency (recorded_at) where principal not like 'borrower:%';
