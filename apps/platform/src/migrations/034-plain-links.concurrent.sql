-- The workers find the rows with a plain address without reading the others.
create index concurrently if not exists step_plain_url on step (tenant_id) where resource_url is not null;
create index concurrently if not exists servicing_plain_url on servicing (tenant_id) where url is not null;
create index concurrently if not exists conversation_plain_form on conversation (tenant_id) where form_url is not null;
create index concurrently if not exists conversation_plain_profile_form on conversation (tenant_id) where profile_form_url is not null;
