-- The sessions that a command line's session depends on: the one that allowed it, and those that allowed that one. It ends
-- with any of them. Empty for other sessions.
alter table person_session add column allowed_by uuid[] not null default '{}';
