-- The daily erasure repeats recent erasures, so that what a concurrent transaction wrote is erased too.
create index concurrently if not exists journey_erased on journey (erased_at) where erased_at is not null;
