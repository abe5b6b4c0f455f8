-- Requests of each caller that is limited, over all processes. A token bucket: it holds the tokens at `counted_at`, and
-- debt below zero. Unlogged, so that counting never waits for the disk or a standby; after a crash all buckets are full.
create unlogged table request_count (
  tenant_id uuid not null,
  -- The policy and its caller, such as a session or a platform; the nil tenant's belong to no tenant.
  caller text not null,
  tokens double precision not null,
  counted_at timestamptz not null,
  -- When the bucket is full again, and the row may be deleted.
  full_at timestamptz not null,
  primary key (tenant_id, caller)
) with (fillfactor = 60);
