-- desk

-- Wrong guesses at passwords and codes, over all processes.
create table guess_count (
  tenant_id uuid not null,
  -- Whose secret, of which kind, and by which device where that has a count of its own.
  subject text not null,
  guesses integer not null,
  -- Until then no guess is looked at.
  paused_until timestamptz,
  guessed_at timestamptz not null,
  primary key (tenant_id, subject)
);
create index guess_count_old on guess_count (guessed_at);

