-- Accounts at the OpenID provider with which people sign in to the console: each is one person's over all tenants, so they
-- are kept under the nil tenant, and a person has one at a provider.
create table person_open_id (
  tenant_id uuid not null check (tenant_id = '00000000-0000-0000-0000-000000000000'),
  issuer text not null,
  -- Whom the issuer means.
  subject_digest bytea not null,
  link_id uuid not null,
  of_tenant_id uuid not null,
  person_id uuid not null,
  created_at timestamptz not null,
  used_at timestamptz not null,
  primary key (tenant_id, issuer, subject_digest),
  unique (tenant_id, of_tenant_id, person_id, issuer)
);

-- Tries by way of the provider fail, too.
alter table sign_in_failure drop constraint sign_in_failure_outcome_check;
alter table sign_in_failure add constraint sign_in_failure_outcome_check check (outcome in (
  'WRONG', 'WRONG_CODE', 'LIMITED',
  'OPENID_UNPROVEN', 'OPENID_UNVERIFIED', 'OPENID_DOMAIN', 'OPENID_UNKNOWN', 'OPENID_OTHER_ACCOUNT'));
