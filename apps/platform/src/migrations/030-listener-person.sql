-- Whose command line a listener is, and how much it pulled: it reads borrowers' updates, so the console lists it with its
-- person, and the audit log counts what it read.

alter table webhook_endpoint
  -- Null for an endpoint that we call, and for the command line of the platform's machine.
  add column listener_person_id uuid,
  -- Updates that the listener pulled, repeats included.
  add column listener_updates integer not null default 0;
