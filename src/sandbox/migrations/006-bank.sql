-- The lender's bank: transfers, debits by mandate, and money that comes in.
-- Columns that end in _sealed hold AES-256-GCM.

-- The numbers of a list are given under a lock that is held until the commit: who has read up to one has missed none before it.
create table bank_numbering (
  list text primary key,
  last bigint not null
);
insert into bank_numbering (list, last) values ('debit_result', 0), ('receipt', 0);

create table bank_transfer (
  client_reference text primary key,
  transfer_id uuid not null,
  request_digest bytea not null,
  request_sealed bytea not null,
  amount_paise bigint not null check (amount_paise > 0),
  status text not null check (status in ('PENDING', 'SUCCESS', 'FAILED')),
  twist text,
  bank_reference text check ((bank_reference is not null) = (status = 'SUCCESS')),
  reason_code text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table bank_mandate (
  umrn text primary key,
  maximum_paise bigint not null,
  valid_from date not null,
  valid_until date not null,
  status text not null check (status in ('ACTIVE', 'CANCELLED')),
  updated_at timestamptz not null
);

create table bank_debit (
  reference text primary key,
  debit_id uuid not null,
  request_digest bytea not null,
  request_sealed bytea not null,
  account_digest bytea not null,
  umrn text not null,
  amount_paise bigint not null check (amount_paise > 0),
  collection_on date not null,
  twist text,
  created_at timestamptz not null
);
create index bank_debit_of on bank_debit (account_digest, created_at);

create table bank_debit_result (
  number bigint primary key,
  result_id uuid not null unique,
  reference text not null references bank_debit,
  sequence integer not null,
  status text not null check (status in ('CONFIRMED', 'RETURNED')),
  return_code text check ((return_code is not null) = (status = 'RETURNED')),
  bank_reference text,
  value_on date not null,
  at timestamptz not null,
  unique (reference, sequence)
);

create table bank_receipt (
  number bigint primary key,
  receipt_id uuid not null unique,
  method text not null check (method in ('NEFT', 'RTGS', 'IMPS', 'UPI')),
  transaction_reference text not null unique,
  amount_paise bigint not null check (amount_paise > 0),
  value_on date not null,
  payer_sealed bytea not null,
  remark text,
  at timestamptz not null
);
