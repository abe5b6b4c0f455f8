-- What an endpoint's server demands beside the signature: headers of its own, or a token by client credentials. Null for none.
alter table webhook_endpoint add column access_sealed bytea;
