-- The key of the digests in this database. A program with another key does not start.
create table digest_key (
  id integer primary key check (id = 1),
  fingerprint bytea not null
);
