-- Erasure of borrowers' data: requests, legal holds, nominees, and the journeys whose personal data is gone.

alter table journey add column erased_at timestamptz;

-- A borrower's request for erasure. One officer records it, another one decides.
create table erasure (
  tenant_id uuid not null,
  erasure_id uuid not null,
  borrower_id uuid not null,
  state text not null check (state in ('WAITING', 'APPROVED', 'REFUSED', 'DONE')),
  reason_sealed bytea not null,
  -- Null for the command line.
  requested_by uuid,
  requested_at timestamptz not null,
  decided_by uuid,
  decided_at timestamptz check ((decided_at is null) = (state = 'WAITING')),
  done_at timestamptz check ((done_at is not null) = (state = 'DONE')),
  primary key (tenant_id, erasure_id)
);
-- A borrower has one open request.
create unique index erasure_open on erasure (tenant_id, borrower_id) where state in ('WAITING', 'APPROVED');
create index erasure_newest on erasure (erasure_id);

-- While a hold is in force, nothing of the borrower is erased.
create table legal_hold (
  tenant_id uuid not null,
  hold_id uuid not null,
  borrower_id uuid not null,
  reason_sealed bytea not null,
  placed_by uuid,
  placed_at timestamptz not null,
  released_by uuid,
  released_at timestamptz,
  primary key (tenant_id, hold_id)
);
create unique index legal_hold_in_force on legal_hold (tenant_id, borrower_id) where released_at is null;

-- The person who exercises the borrower's rights after death or incapacity (DPDP Act 2023 §14).
create table nominee (
  tenant_id uuid not null,
  borrower_id uuid not null,
  nominee_sealed bytea not null,
  named_at timestamptz not null,
  bucket smallint not null check (bucket between 0 and 4095),
  primary key (tenant_id, borrower_id, bucket)
);
