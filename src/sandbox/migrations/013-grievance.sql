-- A complaint about a loan, as far as its lender has come with it; its words lie in the messages.
create table issue (
  conversation_id uuid not null references conversation,
  issue_id text not null,
  -- As the buyer app wrote it: it is repeated in every answer.
  raised_at text not null,
  -- The newest issue message, which the next on_issue answers.
  message_id text not null,
  ttl text not null,
  escalated boolean not null default false,
  closed boolean not null default false,
  -- What the lender has said so far, oldest first, and how it resolves it.
  actions jsonb not null default '[]',
  resolution jsonb,
  updated_at timestamptz not null,
  primary key (conversation_id, issue_id)
);
