-- exchange

-- A lender outside the network that applications are exchanged with (D3). All tenants have the same ones, so they are kept
-- under the nil tenant.
create table lending_partner (
  tenant_id uuid not null check (tenant_id = '00000000-0000-0000-0000-000000000000'),
  partner_id uuid not null,
  -- What it calls itself in its events; it never changes, because what it sent is kept by it.
  sender text not null,
  -- What borrowers read.
  name text not null,
  url text not null,
  products text[] not null,
  -- What may be recommended to it and at which price, and whom its borrowers turn to.
  rules jsonb not null,
  contact jsonb not null,
  -- What both sides know each other by, in both directions.
  credentials_sealed bytea not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, partner_id),
  unique (tenant_id, sender)
);

-- Until now there was one partner, and settings said which. The platform makes its row when it starts, under this id.
alter table partner_case add column partner_id uuid not null default '00000000-0000-4000-8000-000000000001';
alter table partner_case alter column partner_id drop default;

-- One application at each partner for a journey.
alter table partner_case drop constraint partner_case_tenant_id_journey_id_key;
alter table partner_case add unique (tenant_id, journey_id, partner_id);
