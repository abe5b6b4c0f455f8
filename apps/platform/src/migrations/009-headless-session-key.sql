-- The API key that opened the session: its revocation ends the session. Null for sessions that an earlier version opened.
alter table headless_session add column key_id text;
