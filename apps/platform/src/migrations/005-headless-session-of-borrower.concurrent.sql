-- The erasure of a borrower deletes the borrower's sessions without reading those of all others.
create index concurrently if not exists headless_session_of_borrower on headless_session (tenant_id, borrower_id);
