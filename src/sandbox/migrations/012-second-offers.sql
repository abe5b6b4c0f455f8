-- A lender may judge a borrower in two ways, each with an offer and a conversation of its own: null is its usual way.
alter table conversation add column assessment text check (assessment in ('bureau', 'account-aggregator'));
alter table conversation drop constraint conversation_lender_bap_id_transaction_id_key;
create unique index conversation_parties on conversation (lender, bap_id, transaction_id, coalesce(assessment, ''));
