-- A borrower's complaint about a loan of the network, and how far the lender has come with it.
create table grievance (
  tenant_id uuid not null,
  journey_id uuid not null,
  -- Also the id under which the lender knows it.
  grievance_id uuid not null,
  conversation_id uuid not null,
  topic text not null,
  category text not null,
  sub_category text not null,
  status text not null,
  -- ISSUE, and GRIEVANCE once it was escalated.
  issue_type text not null,
  rating text,
  -- What the lender says that it does; it books nothing.
  resolution_action text,
  refund_paise bigint,
  -- Counted from when it was raised or escalated.
  since_at timestamptz not null,
  response_due_at timestamptz not null,
  resolution_due_at timestamptz not null,
  -- When the lender was found to be late with its first answer, and when escalation was offered to the borrower.
  late_at timestamptz,
  escalation_offered_at timestamptz,
  -- Our newest issue message, and the code with which a message was turned away.
  request_id text not null,
  refused_code text,
  -- Who complains, of what, and everything that both sides said.
  detail_sealed bytea not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, journey_id, grievance_id)
);
