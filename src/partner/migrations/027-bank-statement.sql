-- collection

-- A statement of the lender's account as the bank gave it, to be compared with the books. The same file is kept once.
create table bank_statement (
  statement_id uuid primary key,
  digest bytea not null unique,
  file_name text not null,
  from_on date not null,
  to_on date not null,
  lines integer not null check (lines > 0),
  uploaded_by uuid not null,
  uploaded_at timestamptz not null,
  check (from_on <= to_on)
);
create index bank_statement_newest on bank_statement (uploaded_at);

create table bank_statement_line (
  statement_id uuid not null,
  line integer not null,
  value_on date not null,
  -- Above zero it came in, below zero it went out.
  paise bigint not null check (paise <> 0),
  reference text not null,
  -- What the bank writes beside it, which may name people.
  words_sealed bytea not null,
  primary key (statement_id, line)
);

-- What the books have of a period, by the days on which the bank moved it.
create index payment_by_value on payment (value_on) where value_on is not null;
