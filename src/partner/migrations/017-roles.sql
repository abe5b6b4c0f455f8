-- desk

-- What somebody may do. Whoever worked here before might do everything.
alter table staff add column roles text[] not null default '{viewer}';
update staff set roles = '{admin}';
alter table staff add constraint staff_roles_check check (cardinality(roles) > 0
  and roles <@ array['viewer', 'credit', 'operations', 'collections', 'accounts', 'admin']);

-- Every act is an entry of one chain: its digest covers the entry before. Acts of before have no number until a program starts.
alter table staff_act add column detail text not null default '{}';
alter table staff_act add column sequence integer;
alter table staff_act add column digest bytea;
create unique index staff_act_in_chain on staff_act (sequence) where sequence is not null;
create index staff_act_of_staff on staff_act (staff_id, at);
create index staff_act_by_kind on staff_act (act, at);

-- The end of that chain.
create table staff_act_chain (
  chain_id smallint primary key check (chain_id = 1),
  sequence integer not null,
  digest bytea not null
);
