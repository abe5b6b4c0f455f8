-- The quote that the borrower read and accepted, and the SHA-256 digest of its terms.

alter table consent add column quote_id text, add column terms_digest bytea;
