-- A borrower's complaint, about a loan, a lender, the app or the platform: with a number, an officer and a clock.
create table complaint (
  -- The platform's own tenant while nobody knows whose borrower complains.
  tenant_id uuid not null,
  complaint_id uuid not null,
  -- Told to the borrower, as GR-2611-7K3Q9; and what answers by e-mail are addressed with.
  number text not null,
  reply_tag text not null,
  origin text not null,
  category text not null,
  status text not null,
  -- Who answers: PLATFORM, NETWORK (a grievance is with the lender) or LENDER_MAIL.
  route text not null,
  language text not null,
  journey_id uuid,
  borrower_id uuid,
  lender_id uuid,
  grievance_id uuid,
  -- As far as the thread tells what the lender said over the network.
  mirrored_status text,
  -- Whoever complains: name, e-mail, mobile; and the digest of the address that answers must come from.
  contact_sealed bytea not null,
  contact_digest bytea,
  -- Of the platform's people.
  assignee_id uuid,
  -- Counted up by every change: of two officers who act at once the second is told.
  version integer not null,
  received_at timestamptz not null,
  -- From when the times run: received, or reopened.
  since_at timestamptz not null,
  first_answer_due_at timestamptz not null,
  resolution_due_at timestamptz not null,
  -- When the borrower may go to the regulator's ombudsman.
  limit_at timestamptz not null,
  first_answered_at timestamptz,
  resolved_at timestamptz,
  closed_at timestamptz,
  escalated_at timestamptz,
  escalated_because text,
  ombudsman_at timestamptz,
  outcome text,
  satisfied boolean,
  reopened integer not null,
  merged_into uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, complaint_id),
  unique (tenant_id, number),
  unique (tenant_id, reply_tag)
);
create index complaint_of_journey on complaint (tenant_id, journey_id);
create index complaint_of_contact on complaint (tenant_id, contact_digest, received_at);
create index complaint_received on complaint (tenant_id, received_at);
create index complaint_pending on complaint (tenant_id, resolution_due_at) where status not in ('RESOLVED', 'CLOSED', 'MERGED');

-- The thread of a complaint: what was said, by whom, and what happened.
create table complaint_entry (
  tenant_id uuid not null,
  complaint_id uuid not null,
  entry_id uuid not null,
  at timestamptz not null,
  author text not null,
  kind text not null,
  -- Of an EVENT, what happened.
  code text,
  -- Whether the borrower sees it.
  shown boolean not null,
  person_id uuid,
  -- Text, subject, sender, attachments, and what an event tells.
  body_sealed bytea not null,
  -- The mail that carried it: ours in the queue of mails, and its Message-ID either way.
  mail_id uuid,
  message_id text,
  -- What came from elsewhere is entered once.
  source_key text,
  primary key (tenant_id, complaint_id, entry_id),
  unique (tenant_id, complaint_id, source_key)
);
create index complaint_entry_message on complaint_entry (tenant_id, message_id) where message_id is not null;

-- Who answers complaints for the platform or for one lender, where an admin has said so; the settings say it otherwise.
create table complaint_officer (
  tenant_id uuid not null,
  -- PLATFORM, PARTNER, or the lender of the network as subscriber and provider.
  party text not null,
  level text not null,
  contact_sealed bytea not null,
  updated_at timestamptz not null,
  primary key (tenant_id, party, level)
);

-- Grievances that were raised before have complaints from now on.
insert into job (tenant_id, job_id, kind, key, payload, due_at)
  select tenant_id, grievance_id, 'grievance-changed', grievance_id::text,
    jsonb_build_object('journeyId', journey_id, 'grievanceId', grievance_id), updated_at
  from grievance;
