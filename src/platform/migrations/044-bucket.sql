-- All that belongs to a borrower is in one of 4096 buckets, which its ids carry: every key begins with it, so that the rows
-- of a borrower stay together when the tables are distributed, and those of one tenant spread. What was there before is in
-- bucket 0: its ids say nothing of a bucket. Up to the newest of them, ids are taken for such.

create table bucket_start (
  bucket_start_id smallint primary key check (bucket_start_id = 1),
  -- No id that carries no bucket is newer: the last one of the millisecond in which the newest was made.
  newest_without uuid not null
);
insert into bucket_start (bucket_start_id, newest_without)
select 1, (left(max(id), 13) || '-7fff-bfff-ffffffffffff')::uuid from (
  select max(journey_id::text) as id from journey
  union all select max(borrower_id::text) from borrower
  union all select max(event_id::text) from lifecycle_event
  union all select max(delivery_id::text) from webhook_delivery
  union all select max(message_key::text) from network_message
  union all select max(happening_id::text) from happening
  union all select max(case_ref::text) from partner_case
  union all select max(document_reference_id::text) from partner_document
  union all select max(operation_id::text) from operation
  union all select max(family_id::text) from headless_session
) as ids having max(id) is not null;

alter table aa_redirect add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table aa_redirect alter column bucket drop default, drop constraint aa_redirect_pkey, add primary key (bucket, tenant_id, journey_id, aa_session_id, txnid);
alter table aa_session add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table aa_session alter column bucket drop default, drop constraint aa_session_pkey, add primary key (bucket, tenant_id, journey_id, aa_session_id);
alter table aa_session drop constraint aa_session_tenant_id_journey_id_conversation_id_consent_han_key, add unique (bucket, tenant_id, journey_id, conversation_id, consent_handle);
alter table borrower add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table borrower alter column bucket drop default, drop constraint borrower_pkey, add primary key (bucket, tenant_id, borrower_id);
alter table borrower drop constraint borrower_tenant_id_external_id_key, add unique (bucket, tenant_id, external_id);
alter table consent add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table consent alter column bucket drop default, drop constraint consent_pkey, add primary key (bucket, tenant_id, journey_id, consent_id);
alter table consent_withdrawal add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table consent_withdrawal alter column bucket drop default, drop constraint consent_withdrawal_pkey, add primary key (bucket, tenant_id, journey_id, consent_id);
alter table conversation add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table conversation alter column bucket drop default, drop constraint conversation_pkey, add primary key (bucket, tenant_id, journey_id, conversation_id);
alter table conversation drop constraint conversation_tenant_id_journey_id_bpp_id_provider_id_item_i_key, add unique (bucket, tenant_id, journey_id, bpp_id, provider_id, item_id);
alter table embed_session add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table embed_session alter column bucket drop default, drop constraint embed_session_pkey, add primary key (bucket, tenant_id, session_id);
alter table embed_token add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table embed_token alter column bucket drop default, drop constraint embed_token_pkey, add primary key (bucket, tenant_id, token_id);
alter table grievance add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table grievance alter column bucket drop default, drop constraint grievance_pkey, add primary key (bucket, tenant_id, journey_id, grievance_id);
alter table happening add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table happening alter column bucket drop default, drop constraint happening_pkey, add primary key (bucket, tenant_id, journey_id, happening_id);
alter table headless_session add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table headless_session alter column bucket drop default, drop constraint headless_session_pkey, add primary key (bucket, tenant_id, session_id);
alter table hybrid_prefill add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table hybrid_prefill alter column bucket drop default, drop constraint hybrid_prefill_pkey, add primary key (bucket, tenant_id, journey_id);
alter table journey add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table journey alter column bucket drop default, drop constraint journey_pkey, add primary key (bucket, tenant_id, journey_id);
alter table journey_note add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table journey_note alter column bucket drop default, drop constraint journey_note_pkey, add primary key (bucket, tenant_id, journey_id);
alter table lifecycle_event add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table lifecycle_event alter column bucket drop default, drop constraint lifecycle_event_pkey, add primary key (bucket, tenant_id, journey_id, status);
alter table lifecycle_event drop constraint lifecycle_event_tenant_id_journey_id_sequence_key, add unique (bucket, tenant_id, journey_id, sequence);
alter table network_message add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table network_message alter column bucket drop default, drop constraint network_message_pkey, add primary key (bucket, tenant_id, journey_id, message_key);
alter table offer add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table offer alter column bucket drop default, drop constraint offer_pkey, add primary key (bucket, tenant_id, journey_id, offer_id);
alter table offer drop constraint offer_tenant_id_journey_id_conversation_id_key, add unique (bucket, tenant_id, journey_id, conversation_id);
alter table operation add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table operation alter column bucket drop default, drop constraint operation_pkey, add primary key (bucket, tenant_id, journey_id, operation_id);
alter table partner_case add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table partner_case alter column bucket drop default, drop constraint partner_case_pkey, add primary key (bucket, tenant_id, case_ref);
alter table partner_case drop constraint partner_case_tenant_id_journey_id_partner_id_key, add unique (bucket, tenant_id, journey_id, partner_id);
alter table partner_check add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table partner_check alter column bucket drop default, drop constraint partner_check_pkey, add primary key (bucket, tenant_id, case_ref, kind, attempt);
alter table partner_document add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table partner_document alter column bucket drop default, drop constraint partner_document_pkey, add primary key (bucket, tenant_id, case_ref, document_reference_id);
alter table partner_statement add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table partner_statement alter column bucket drop default, drop constraint partner_statement_pkey, add primary key (bucket, tenant_id, case_ref, attempt);
alter table portfolio add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table portfolio alter column bucket drop default, drop constraint portfolio_pkey, add primary key (bucket, tenant_id, journey_id);
alter table profile add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table profile alter column bucket drop default, drop constraint profile_pkey, add primary key (bucket, tenant_id, journey_id);
alter table provider_report add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table provider_report alter column bucket drop default, drop constraint provider_report_pkey, add primary key (bucket, tenant_id, case_ref, kind, attempt, number);
alter table servicing add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table servicing alter column bucket drop default, drop constraint servicing_pkey, add primary key (bucket, tenant_id, journey_id, operation_id);
alter table staff_note add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table staff_note alter column bucket drop default, drop constraint staff_note_pkey, add primary key (bucket, tenant_id, journey_id, note_id);
alter table step add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table step alter column bucket drop default, drop constraint step_pkey, add primary key (bucket, tenant_id, journey_id, name);
alter table webhook_delivery add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table webhook_delivery alter column bucket drop default, drop constraint webhook_delivery_pkey, add primary key (bucket, tenant_id, application_id, delivery_id);
alter table webhook_replay_journey add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table webhook_replay_journey alter column bucket drop default, drop constraint webhook_replay_journey_pkey, add primary key (bucket, tenant_id, replay_id, journey_id, destination_id);
alter table webhook_try add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table webhook_try alter column bucket drop default, drop constraint webhook_try_pkey, add primary key (bucket, tenant_id, application_id, delivery_id, number);

alter table happening drop constraint happening_tenant_id_journey_id_key_key, add unique (bucket, tenant_id, journey_id, key);
alter table happening drop constraint happening_tenant_id_journey_id_number_key, add unique (bucket, tenant_id, journey_id, number);
drop index happening_waiting;
create index happening_waiting on happening (bucket, tenant_id, journey_id, number) where state = 'WAITING';
-- It is drawn at random: that there are no two of it needs no key.
alter table headless_session drop constraint headless_session_tenant_id_refresh_id_key;
create index headless_session_refresh on headless_session (bucket, tenant_id, refresh_id);
drop index headless_session_family;
create index headless_session_family on headless_session (bucket, tenant_id, family_id);
drop index journey_active;
create unique index journey_active on journey (bucket, tenant_id, borrower_id, application_id, type) where active;
drop index journey_by_transaction;
create index journey_by_transaction on journey (bucket, network_transaction_id);
drop index journey_of_borrower;
create index journey_of_borrower on journey (bucket, tenant_id, borrower_id, journey_id);
-- Lists of a tenant, newest first.
create index journey_newest on journey (tenant_id, journey_id);
drop index network_message_request;
create unique index network_message_request on network_message (bucket, tenant_id, journey_id, message_id, action) where direction = 'sent';
drop index offer_selected;
create unique index offer_selected on offer (bucket, tenant_id, journey_id) where selected_at is not null and rejected_at is null;
drop index servicing_open;
create unique index servicing_open on servicing (bucket, tenant_id, journey_id, kind) where status in ('REQUESTED', 'LINK_READY');
drop index webhook_delivery_line;
create index webhook_delivery_line on webhook_delivery (bucket, tenant_id, journey_id, sequence);
create index webhook_delivery_newest on webhook_delivery (tenant_id, application_id, delivery_id);
drop index grievance_by_id;
create index grievance_by_id on grievance (bucket, grievance_id);
