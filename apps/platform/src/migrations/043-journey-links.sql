-- A link that lives for days: the page behind it opens the journey after a code to the borrower's mobile number.
create table journey_link (
  tenant_id uuid not null,
  link_id text not null,
  digest bytea not null,
  application_id uuid not null,
  journey_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, link_id, bucket)
);
create index journey_link_of_journey on journey_link (tenant_id, journey_id);

-- A code that was sent, as a keyed digest. Each may be tried five times and used once.
create table journey_link_code (
  tenant_id uuid not null,
  link_id text not null,
  code_id uuid not null,
  digest bytea not null,
  journey_id uuid not null,
  tries smallint not null default 0,
  expires_at timestamptz not null,
  used_at timestamptz,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, link_id, code_id, bucket)
);
create index journey_link_code_expiry on journey_link_code (expires_at);

-- A device on which the borrower has entered a code, and on which the link opens without another one.
create table journey_link_device (
  tenant_id uuid not null,
  link_id text not null,
  device_id text not null,
  digest bytea not null,
  journey_id uuid not null,
  opened_at timestamptz not null,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, link_id, device_id, bucket)
);

-- The link through which a page was opened, whose end ends the page. Null for an embed URL.
alter table embed_token add column link_id text;
alter table embed_session add column link_id text;
