-- Mail that the platform and the partner sent, and what was answered or written in their stead who got it.
create table mailbox_mail (
  mail_id uuid primary key,
  -- Whether it was sent from the mailbox.
  is_sent boolean not null,
  -- Of every address of its envelope, in lower case.
  address_digests bytea[] not null,
  -- Envelope, subject and the beginning of the text.
  head_sealed bytea not null,
  message_sealed bytea not null,
  at timestamptz not null
);
