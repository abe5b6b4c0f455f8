-- exchange

-- A provider names a session or a request by its own reference, which says nothing of the bucket: here is whose it is.
create table provider_reference (
  kind text not null check (kind in ('kyc', 'mandate', 'esign', 'bank-statement')),
  adapter text not null,
  provider_reference text not null,
  tenant_id uuid not null,
  case_ref uuid not null,
  primary key (kind, adapter, provider_reference)
);
insert into provider_reference (kind, adapter, provider_reference, tenant_id, case_ref)
select distinct on (kind, adapter, provider_reference) kind, adapter, provider_reference, tenant_id, case_ref from (
  select kind, adapter, provider_reference, tenant_id, case_ref, created_at from partner_check
  union all
  select 'bank-statement', adapter, provider_reference, tenant_id, case_ref, created_at from partner_statement
  where provider_reference is not null
) as named order by kind, adapter, provider_reference, created_at desc;

-- Each as a statement of its own: where the tables are over several servers, Citus sends them the text that it was given.
do $$
begin
  drop index partner_check_by_reference;
  drop index partner_statement_by_reference;
end $$;
