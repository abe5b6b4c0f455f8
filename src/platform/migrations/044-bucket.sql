-- All that belongs to a borrower is in one of 4096 buckets, which its ids carry. Every key has it, so that the tables can be
-- distributed by it: the rows of a borrower stay together, and those of one tenant spread. It comes last: new rows then stay
-- together in each index, in the order of time. What was there before is in
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
alter table aa_redirect alter column bucket drop default, drop constraint aa_redirect_pkey, add primary key (tenant_id, journey_id, aa_session_id, txnid, bucket);
alter table aa_session add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table aa_session alter column bucket drop default, drop constraint aa_session_pkey, add primary key (tenant_id, journey_id, aa_session_id, bucket);
alter table aa_session drop constraint aa_session_tenant_id_journey_id_conversation_id_consent_han_key, add unique (tenant_id, journey_id, conversation_id, consent_handle, bucket);
alter table borrower add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table borrower alter column bucket drop default, drop constraint borrower_pkey, add primary key (tenant_id, borrower_id, bucket);
alter table borrower drop constraint borrower_tenant_id_external_id_key, add unique (tenant_id, external_id, bucket);
alter table consent add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table consent alter column bucket drop default, drop constraint consent_pkey, add primary key (tenant_id, journey_id, consent_id, bucket);
alter table consent_withdrawal add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table consent_withdrawal alter column bucket drop default, drop constraint consent_withdrawal_pkey, add primary key (tenant_id, journey_id, consent_id, bucket);
alter table conversation add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table conversation alter column bucket drop default, drop constraint conversation_pkey, add primary key (tenant_id, journey_id, conversation_id, bucket);
alter table conversation drop constraint conversation_tenant_id_journey_id_bpp_id_provider_id_item_i_key, add unique (tenant_id, journey_id, bpp_id, provider_id, item_id, bucket);
alter table embed_session add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table embed_session alter column bucket drop default, drop constraint embed_session_pkey, add primary key (tenant_id, session_id, bucket);
alter table embed_token add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table embed_token alter column bucket drop default, drop constraint embed_token_pkey, add primary key (tenant_id, token_id, bucket);
alter table grievance add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table grievance alter column bucket drop default, drop constraint grievance_pkey, add primary key (tenant_id, journey_id, grievance_id, bucket);
alter table happening add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table happening alter column bucket drop default, drop constraint happening_pkey, add primary key (tenant_id, journey_id, happening_id, bucket);
alter table headless_session add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table headless_session alter column bucket drop default, drop constraint headless_session_pkey, add primary key (tenant_id, session_id, bucket);
alter table hybrid_prefill add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table hybrid_prefill alter column bucket drop default, drop constraint hybrid_prefill_pkey, add primary key (tenant_id, journey_id, bucket);
alter table journey add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table journey alter column bucket drop default, drop constraint journey_pkey, add primary key (tenant_id, journey_id, bucket);
alter table journey_note add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table journey_note alter column bucket drop default, drop constraint journey_note_pkey, add primary key (tenant_id, journey_id, bucket);
alter table lifecycle_event add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table lifecycle_event alter column bucket drop default, drop constraint lifecycle_event_pkey, add primary key (tenant_id, journey_id, status, bucket);
alter table lifecycle_event drop constraint lifecycle_event_tenant_id_journey_id_sequence_key, add unique (tenant_id, journey_id, sequence, bucket);
alter table network_message add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table network_message alter column bucket drop default, drop constraint network_message_pkey, add primary key (tenant_id, journey_id, message_key, bucket);
alter table offer add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table offer alter column bucket drop default, drop constraint offer_pkey, add primary key (tenant_id, journey_id, offer_id, bucket);
alter table offer drop constraint offer_tenant_id_journey_id_conversation_id_key, add unique (tenant_id, journey_id, conversation_id, bucket);
alter table operation add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table operation alter column bucket drop default, drop constraint operation_pkey, add primary key (tenant_id, journey_id, operation_id, bucket);
alter table partner_case add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table partner_case alter column bucket drop default, drop constraint partner_case_pkey, add primary key (tenant_id, case_ref, bucket);
alter table partner_case drop constraint partner_case_tenant_id_journey_id_partner_id_key, add unique (tenant_id, journey_id, partner_id, bucket);
alter table partner_check add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table partner_check alter column bucket drop default, drop constraint partner_check_pkey, add primary key (tenant_id, case_ref, kind, attempt, bucket);
alter table partner_document add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table partner_document alter column bucket drop default, drop constraint partner_document_pkey, add primary key (tenant_id, case_ref, document_reference_id, bucket);
alter table partner_statement add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table partner_statement alter column bucket drop default, drop constraint partner_statement_pkey, add primary key (tenant_id, case_ref, attempt, bucket);
alter table portfolio add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table portfolio alter column bucket drop default, drop constraint portfolio_pkey, add primary key (tenant_id, journey_id, bucket);
alter table profile add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table profile alter column bucket drop default, drop constraint profile_pkey, add primary key (tenant_id, journey_id, bucket);
alter table provider_report add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table provider_report alter column bucket drop default, drop constraint provider_report_pkey, add primary key (tenant_id, case_ref, kind, attempt, number, bucket);
alter table servicing add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table servicing alter column bucket drop default, drop constraint servicing_pkey, add primary key (tenant_id, journey_id, operation_id, bucket);
alter table staff_note add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table staff_note alter column bucket drop default, drop constraint staff_note_pkey, add primary key (tenant_id, journey_id, note_id, bucket);
alter table step add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table step alter column bucket drop default, drop constraint step_pkey, add primary key (tenant_id, journey_id, name, bucket);
alter table webhook_delivery add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table webhook_delivery alter column bucket drop default, drop constraint webhook_delivery_pkey, add primary key (tenant_id, application_id, delivery_id, bucket);
alter table webhook_replay_journey add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table webhook_replay_journey alter column bucket drop default, drop constraint webhook_replay_journey_pkey, add primary key (tenant_id, replay_id, journey_id, destination_id, bucket);
alter table webhook_try add column bucket smallint not null default 0 check (bucket between 0 and 4095);
alter table webhook_try alter column bucket drop default, drop constraint webhook_try_pkey, add primary key (tenant_id, application_id, delivery_id, number, bucket);

alter table happening drop constraint happening_tenant_id_journey_id_key_key, add unique (tenant_id, journey_id, key, bucket);
alter table happening drop constraint happening_tenant_id_journey_id_number_key, add unique (tenant_id, journey_id, number, bucket);
-- It is drawn at random: that there are no two of it needs no key.
alter table headless_session drop constraint headless_session_tenant_id_refresh_id_key;
create index headless_session_refresh on headless_session (tenant_id, refresh_id);
drop index journey_active;
create unique index journey_active on journey (tenant_id, borrower_id, application_id, type, bucket) where active;
drop index network_message_request;
create unique index network_message_request on network_message (tenant_id, journey_id, message_id, action, bucket) where direction = 'sent';
drop index offer_selected;
create unique index offer_selected on offer (tenant_id, journey_id, bucket) where selected_at is not null and rejected_at is null;
drop index servicing_open;
create unique index servicing_open on servicing (tenant_id, journey_id, kind, bucket) where status in ('REQUESTED', 'LINK_READY');
