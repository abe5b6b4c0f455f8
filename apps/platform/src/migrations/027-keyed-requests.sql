-- A plain digest of a request reveals a mobile number to a reader of the database who tries all numbers. New rows have a
-- keyed digest instead. A worker replaces the digests of earlier rows, because SQL has no key.

-- Exactly one of the two is set. A process of the previous version fails to compare a keyed digest, and its caller retries.
alter table idempotency add column content_mac bytea, alter column content_digest drop not null;
-- Of the integrator's identifier that a logged request names, so that an erasure finds the request.
alter table api_request add column borrower_digest bytea;
