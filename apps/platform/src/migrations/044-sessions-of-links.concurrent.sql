-- The sessions that end with their link.
create index concurrently if not exists embed_session_of_link on embed_session (tenant_id, link_id) where link_id is not null;
