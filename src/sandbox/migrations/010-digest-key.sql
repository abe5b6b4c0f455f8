-- Which key the digests of this database were made with: a program that has another one must not start.
create table digest_key (
  id integer primary key check (id = 1),
  fingerprint bytea not null
);
