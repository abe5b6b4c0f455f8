-- The daily erasure finds ended journeys by the time of their creation, which is before that of their last change.
create index concurrently if not exists journey_ended on journey (created_at) where not active and erased_at is null;
