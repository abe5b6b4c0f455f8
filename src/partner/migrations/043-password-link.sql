-- desk

-- The link with which a person of the staff chooses a password: the newest one of each person.
create table staff_password_link (
  staff_id uuid primary key,
  link_id uuid not null,
  kind text not null check (kind in ('INVITATION', 'RESET')),
  -- Null at the command line.
  requested_by uuid,
  requested_at timestamptz not null,
  -- Who saw the link besides the person: empty where it is sent by mail. The nil uuid is the command line.
  seen_by uuid[] not null,
  state text not null check (state in ('QUEUED', 'SENT', 'FAILED', 'HANDED_OVER', 'USED')),
  -- What the mail server answered last.
  answer text,
  -- Of its token; null until it is sent.
  digest bytea unique,
  expires_at timestamptz not null,
  used_at timestamptz check ((used_at is not null) = (state = 'USED'))
);

-- Who else may know the password: those who saw the link that it was chosen by.
alter table staff add column known_to uuid[] not null default '{}';

-- The same of the person who made a request or proposed a change, at that time.
alter table approval_request add column maker_known_to uuid[] not null default '{}';
alter table setting_change add column maker_known_to uuid[] not null default '{}';
