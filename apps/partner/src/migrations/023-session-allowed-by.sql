-- As at the platform, whose sign-in the desk shares: the sessions with which this one ends. Empty at the desk, because no
-- command line signs in there.

alter table person_session add column allowed_by uuid[] not null default '{}';
