-- staff

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

-- mail

-- A person is told that somebody guesses at their account; the heads of audit logs are sent out.
alter table mail_out drop constraint mail_out_kind_check;
alter table mail_out add constraint mail_out_kind_check
  check (kind in ('complaint', 'invitation', 'webhook-alert', 'report', 'sign-in', 'audit-head'));
