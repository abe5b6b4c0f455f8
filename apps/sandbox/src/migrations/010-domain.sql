-- A participant may be subscribed in several domains with the same key.
alter table participant drop constraint participant_pkey;
alter table participant add primary key (subscriber_id, unique_key_id, type, domain);
