-- A plain digest of an upload or a bank statement confirms a guessed content to a reader of the database. New rows
-- have a keyed digest instead. The program replaces the digests of earlier rows at its start, because SQL has no key.

-- Exactly one of the two is set. A process of the previous version fails to compare a keyed digest, and its caller retries.
alter table document_request add column content_mac bytea, alter column content_digest drop not null;
alter table bank_statement add column content_mac bytea unique, alter column digest drop not null;
