-- MF Central: its clients with their public keys, and the statements that they ask for.
create table mf_client (
  client_id text primary key,
  -- Each of its processes may have a key of its own.
  keys jsonb not null,
  updated_at timestamptz not null
);
create table mf_request (
  request_id bigint primary key generated always as identity (start with 2400001),
  client_id text not null,
  client_ref_no text not null,
  otp_ref uuid not null,
  -- Whose statement it is, and where the browser goes back to.
  request_sealed bytea not null,
  status text not null check (status in ('PENDING', 'SHARED', 'EMPTY', 'DECLINED')),
  -- The fund houses that the investor chose.
  companies text[] not null default '{}',
  created_at timestamptz not null,
  unique (client_id, client_ref_no)
);
