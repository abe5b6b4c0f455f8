-- mail

-- What is sent. Mail of no tenant is kept under the nil tenant.
create table mail_out (
  tenant_id uuid not null,
  mail_id uuid not null,
  kind text not null check (kind in ('complaint', 'invitation', 'webhook-alert', 'report')),
  -- The row that it is about.
  subject_id uuid not null,
  -- Ours, and the same at each try.
  message_id text not null,
  -- Addresses, subject, text, and which files go with it.
  content_sealed bytea not null,
  state text not null check (state in ('QUEUED', 'SENT', 'FAILED')),
  tries integer not null default 0,
  next_try_at timestamptz check ((next_try_at is not null) = (state = 'QUEUED')),
  -- What the mail server answered last, addresses masked.
  answer text,
  created_at timestamptz not null,
  settled_at timestamptz check ((settled_at is not null) = (state <> 'QUEUED')),
  primary key (tenant_id, mail_id)
);
create index mail_out_about on mail_out (tenant_id, kind, subject_id, mail_id);
create index mail_out_failed on mail_out (mail_id) where state = 'FAILED';

-- What came in: one row for each recipient of ours.
create table mail_in (
  tenant_id uuid not null,
  mail_id uuid not null,
  -- Of its Message-ID and its recipient: a second delivery is the same mail.
  digest bytea not null,
  -- Recipient and return path.
  envelope_sealed bytea not null,
  -- The bytes as they came.
  message_sealed bytea not null,
  size_bytes integer not null,
  state text not null check (state in ('RECEIVED', 'HANDLED', 'SET_ASIDE')),
  -- Why it was set aside.
  why text check (state <> 'SET_ASIDE' or why is not null),
  received_at timestamptz not null,
  settled_at timestamptz check ((settled_at is not null) = (state <> 'RECEIVED')),
  primary key (tenant_id, mail_id),
  unique (tenant_id, digest)
);
create index mail_in_set_aside on mail_in (tenant_id, mail_id) where state = 'SET_ASIDE';

-- Files that go with mail, in and out, each kept once it was found harmless.
create table mail_file (
  tenant_id uuid not null,
  file_id uuid not null,
  content_sealed bytea not null,
  size_bytes integer not null,
  created_at timestamptz not null,
  primary key (tenant_id, file_id)
);
