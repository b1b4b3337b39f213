#!/bin/sh
# Run by the postgres image of docker-compose.yml when it makes its data directory: the role that
# owns the schema of Onward and makes the application's role, the role with which Temporal makes and
# owns its two databases, and nothing that a role could reach of the other's.
set -eu
for name in POSTGRES_PASSWORD DATABASE_OWNER_PASSWORD TEMPORAL_DATABASE_PASSWORD; do
  eval "password=\$$name"
  if [ "${#password}" -lt 16 ]; then
    echo "$name needs 16 characters or more. Make one with: openssl rand -hex 24" >&2
    exit 1
  fi
done
psql --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" \
  --set=owner_password="$DATABASE_OWNER_PASSWORD" \
  --set=temporal_password="$TEMPORAL_DATABASE_PASSWORD" <<'SQL'
-- The passwords of the next statements must not reach the server's log.
set log_statement = 'none';
set log_min_error_statement = 'panic';
create role onward_owner login createrole password :'owner_password';
create role temporal login createdb password :'temporal_password';
create database onward owner onward_owner;
revoke connect on database onward from public;
SQL
