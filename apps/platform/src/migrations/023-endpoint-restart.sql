-- When the endpoint was last resumed, enabled again or given another URL. Earlier answers say nothing about it now.

alter table webhook_endpoint add column restarted_at timestamptz;
