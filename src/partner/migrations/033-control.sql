-- approval: that loans are a loss is two people's decision, up to an amount of principal.
alter table approval_limit drop constraint approval_limit_act_check;
alter table approval_limit add constraint approval_limit_act_check
  check (act in ('OFFER', 'PAYOUT', 'REFUND', 'WAIVER', 'WRITE_OFF', 'LOSS', 'REVERSAL', 'ACCOUNT'));
insert into approval_limit (role, act, alone_paise, approve_paise) values
  ('credit', 'LOSS', 0, 20000000),
  ('accounts', 'LOSS', 0, 20000000),
  ('admin', 'LOSS', 0, 1000000000);

-- desk

-- A change of a setting that one admin proposes and another confirms.
create table setting_change (
  change_id uuid primary key,
  setting text not null check (setting in ('LIMITS', 'ROLES', 'DEBITS', 'HOLIDAYS', 'PROVISIONS', 'BANK_RULES')),
  -- Which one, where there are several: an e-mail address of staff, a year.
  subject text not null default '',
  -- The form as it was sent, as JSON.
  form text not null,
  -- What is different: by name as it was when it was proposed, and as it is to be, as JSON.
  before text not null,
  after text not null,
  -- The business day from which it holds; null where it holds from its confirmation.
  from_on date,
  reason text not null,
  state text not null check (state in ('WAITING', 'CONFIRMED', 'REFUSED', 'WITHDRAWN', 'EXPIRED')),
  made_by uuid not null,
  made_at timestamptz not null,
  expires_at timestamptz not null,
  decided_by uuid,
  decided_at timestamptz,
  decision_reason text,
  check ((state = 'WAITING') = (decided_at is null)),
  -- Nobody confirms what they proposed themselves.
  check (state <> 'CONFIRMED' or (decided_by is not null and decided_by <> made_by))
);
-- The same setting waits once.
create unique index setting_change_waiting on setting_change (setting, subject) where state = 'WAITING';
create index setting_change_newest on setting_change (made_at);

-- review: the rules that bank data are held against from a business day on, as JSON; before the first row those of the settings.
create table bank_rule_set (
  from_on date primary key,
  rules text not null
);
