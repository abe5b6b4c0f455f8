-- What an integrator knows of a borrower's mutual funds, as it said it; and whether a line of credit or a term loan is wanted.
create table portfolio (
  tenant_id uuid not null,
  journey_id uuid not null,
  mfc_sealed bytea,
  product_type text check (product_type in ('CREDIT_LINE', 'TERM_LOAN')),
  facility_type text check (facility_type in ('OVERDRAFT', 'TERM')),
  updated_at timestamptz not null,
  primary key (tenant_id, journey_id)
);
