-- mail

-- Digests of what mail that comes in is limited by: its return path, the address and the thread that it was written to.
alter table mail_in
  add column sender_digest bytea,
  add column address_digest bytea,
  add column thread_digest bytea;
create index mail_in_by_sender on mail_in (tenant_id, sender_digest, received_at) where sender_digest is not null;
create index mail_in_by_address on mail_in (tenant_id, address_digest, received_at) where address_digest is not null;
create index mail_in_by_thread on mail_in (tenant_id, thread_digest, received_at) where thread_digest is not null;
