-- A drawdown from a credit line is a conversation of its own, which names that of the line (FIS12 §27.5).
alter table conversation add column line_id uuid references conversation;
create index conversation_drawdowns on conversation (line_id) where line_id is not null;
