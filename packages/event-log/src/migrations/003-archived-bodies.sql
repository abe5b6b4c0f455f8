-- Null once the body is archived.
alter table inbox alter column body_sealed drop not null;
alter table outbox alter column body_sealed drop not null;
