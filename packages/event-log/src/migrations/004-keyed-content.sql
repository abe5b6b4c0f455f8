-- A plain digest of an event confirms a guessed content to a reader of the database. New rows have a keyed digest instead.
-- The program replaces the digests of earlier rows, because SQL has no key.

-- Exactly one of the two is set. A process of the previous version fails to compare a keyed digest, and its caller retries.
alter table inbox add column body_mac bytea, alter column body_sha256 drop not null;
