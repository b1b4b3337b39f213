#!/bin/sh
# Run by the postgres image of docker-compose.yml when it makes its data directory: the role with
# which Temporal makes and owns its two databases.
set -eu
psql --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" \
  --set=password="$TEMPORAL_DATABASE_PASSWORD" <<'SQL'
create role temporal login createdb password :'password';
SQL
