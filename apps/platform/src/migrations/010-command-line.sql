-- The command line of people who are not on the platform's machine: how it signs in, and how it receives updates.

-- The command line shows a code; a person who is signed in to the console allows it. Deleted when the session begins.
create table command_line_sign_in (
  user_code text primary key,
  -- Only the command line that asked has the secret.
  secret_digest bytea not null,
  -- The name and the network of its machine.
  client_sealed bytea not null,
  expires_at timestamptz not null,
  -- The session of the person who allowed it; null until then.
  by_tenant_id uuid,
  by_person_id uuid,
  by_session_id uuid
);
create index command_line_sign_in_expiry on command_line_sign_in (expires_at);

-- Set for the listener of a command line, which pulls its updates and sends them on to a developer's machine. Moves on with
-- each pull; a listener that stopped is removed. Null for an endpoint that we call.
alter table webhook_endpoint add column listens_until timestamptz;
