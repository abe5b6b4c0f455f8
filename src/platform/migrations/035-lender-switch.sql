-- lender

-- Lenders that are asked for nothing new: by a tenant, or by all of them under the nil tenant. What was done before is in the
-- audit log. The partner stands here as its sender and 'partner'.
create table lender_switch (
  tenant_id uuid not null,
  bpp_id text not null,
  provider_id text not null,
  reason text not null,
  -- Null for the command line.
  person_id uuid,
  off_at timestamptz not null,
  primary key (tenant_id, bpp_id, provider_id)
);

-- What goes on at a lender is counted before it is switched off; an offer comes into this index once, when it is chosen.
create index offer_chosen_of_lender on offer (tenant_id, lender_id) where selected_at is not null and rejected_at is null;
-- The newest conversations of a lender; an entry is written once, with the conversation.
create index conversation_of_lender on conversation (tenant_id, lender_id, conversation_id);
-- Files that the partner has not stored, for whoever looks after them.
create index partner_document_unstored on partner_document (created_at) where state <> 'STORED';
