-- case

-- Whether rules decide where people would, each time that somebody said so; before the first time the setting holds.
create table autopilot_switch (
  switch_id uuid primary key,
  is_on boolean not null,
  -- Who said so: somebody of the staff.
  switched_by text not null,
  switched_at timestamptz not null
);
create index autopilot_switch_newest on autopilot_switch (switched_at, switch_id);

-- desk

-- Whoever left stays known by what they did.
alter table staff add column removed_at timestamptz;

-- What staff did, written with its effect.
create table staff_act (
  act_id uuid primary key,
  -- Null where it was done at the command line.
  staff_id uuid,
  act text not null,
  case_ref text,
  -- What else it was about: an event, a receipt, a file, a person of the staff.
  subject text,
  at timestamptz not null
);
create index staff_act_newest on staff_act (at, act_id);
create index staff_act_of_case on staff_act (case_ref, at) where case_ref is not null;

-- collection

-- Claims that wait for the bank, of which staff are shown the oldest first.
create index payment_claimed on payment (created_at) where status = 'PENDING_VERIFICATION';
