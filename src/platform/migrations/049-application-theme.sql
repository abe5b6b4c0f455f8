-- How the hosted page looks for an application: its name, colour, corners, font and logo. Without a row it looks as ours.
create table application_theme (
  tenant_id uuid not null,
  application_id uuid not null,
  name text not null check (length(name) between 1 and 30),
  accent text not null check (accent ~ '^#[0-9a-f]{6}$'),
  corner text not null check (corner in ('square', 'soft', 'round')),
  font text not null check (font in ('system', 'humanist', 'rounded', 'serif', 'mono')),
  logo bytea check (length(logo) <= 100000),
  logo_type text check (logo_type in ('image/png', 'image/webp', 'image/svg+xml')),
  logo_width real,
  logo_height real,
  -- The digest of its bytes, in hexadecimal: its address changes with it.
  logo_version text,
  changed_at timestamptz not null,
  primary key (tenant_id, application_id),
  foreign key (tenant_id, application_id) references application,
  check ((logo is null) = (logo_type is null) and (logo is null) = (logo_width is null)
    and (logo is null) = (logo_height is null) and (logo is null) = (logo_version is null))
);
