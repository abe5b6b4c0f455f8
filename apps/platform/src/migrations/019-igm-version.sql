-- The version of IGM in which a complaint is sent.
alter table grievance add column igm_version text not null default '1.0.0';

-- The version of a lender's newest valid answer to a complaint, in which the next complaint is sent.
create table lender_igm_version (
  tenant_id uuid not null,
  bpp_id text not null,
  version text not null,
  updated_at timestamptz not null,
  primary key (tenant_id, bpp_id)
);
