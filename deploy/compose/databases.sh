#!/bin/sh
# Each program gets a role of its own, which can reach only its own database. PostgreSQL runs this at its first start.
set -eu
for name in platform partner demo; do
  psql --username postgres --set ON_ERROR_STOP=1 --set name="$name" --set password="$(cat "/run/secrets/$name")" <<'SQL'
create role :"name" login password :'password';
create database :"name" owner :"name";
revoke connect on database :"name" from public;
SQL
done
# The demo makes a database for each of its programs.
psql --username postgres --set ON_ERROR_STOP=1 --command 'alter role demo createdb'
