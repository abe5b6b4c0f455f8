-- Indexes by which the daily erasure finds what is due, without reading the rest.
-- Ended journeys whose personal data is still stored, by the time of their last change.
create index concurrently if not exists journey_unerased on journey (updated_at) where not active and erased_at is null;
create index concurrently if not exists complaint_ended on complaint (closed_at) where closed_at is not null;
create index concurrently if not exists mail_out_settled on mail_out (settled_at) where settled_at is not null;
create index concurrently if not exists mail_in_settled on mail_in (settled_at) where settled_at is not null;
