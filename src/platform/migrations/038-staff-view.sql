-- Filters of the console's lists that people saved under a name, for themselves or for their colleagues.
create table staff_view (
  tenant_id uuid not null,
  view_id uuid not null,
  -- Whoever saved it; the nil id stands for the command line.
  person_id uuid not null,
  list text not null,
  name text not null check (length(name) between 1 and 60),
  -- As canonical JSON: the values of filters by their names, never personal data.
  filters text not null check (length(filters) <= 2000),
  is_shared boolean not null,
  version integer not null,
  changed_at timestamptz not null,
  primary key (tenant_id, view_id)
);
create index staff_view_person on staff_view (tenant_id, person_id, list);
