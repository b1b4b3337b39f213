-- Teams, access, idempotency, workflow outbox; and the rules that every later migration relies on.

-- Tables whose comment begins with "append-only" lose update and delete for the application when
-- the migrations end; rows leave them only as whole partitions.

create table teams (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  tier text not null default 'standard',
  timezone text not null default 'UTC',
  currency text not null default 'USD',
  lock_version bigint not null default 1,
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create table clients (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  name text not null,
  scopes text[] not null,
  allow_wildcards boolean not null default false,
  is_active boolean not null default true,
  -- Tokens issued before this moment are refused.
  tokens_valid_after timestamptz(3) not null default '-infinity'::timestamptz,
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id)
);
create unique index clients_id on clients (id);

-- At most two live secrets a client; only keyed digests are kept.
create table client_secrets (
  team_id uuid not null,
  client_id uuid not null,
  id uuid not null default gen_random_uuid(),
  pepper_id text not null,
  digest bytea not null,
  hint text not null,
  expires_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  foreign key (team_id, client_id) references clients (team_id, id)
);
create index client_secrets_client on client_secrets (team_id, client_id);

create table revoked_tokens (
  token_id uuid primary key,
  expires_at timestamptz(3) not null
);

-- Keys that sign access tokens: used from activates_at, accepted until retires_at.
create table signing_keys (
  id text primary key,
  public_jwk jsonb not null,
  sealed_private_jwk text not null,
  activates_at timestamptz(3) not null,
  retires_at timestamptz(3),
  inserted_at timestamptz(3) not null default now()
);

-- Answers of finished requests; claimed by an advisory lock, so a row means "done".
create table idempotency_keys (
  team_id uuid not null,
  client_id uuid not null,
  key_hash bytea not null,
  fingerprint bytea not null,
  status smallint not null,
  headers jsonb not null,
  body text,
  is_sealed boolean not null default false,
  inserted_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  primary key (team_id, client_id, key_hash)
);
create index idempotency_keys_expiry on idempotency_keys (expires_at);

-- Token buckets shared by the API processes; lost without harm.
create unlogged table rate_budgets (
  team_id uuid not null,
  class text not null,
  burst_tokens double precision not null,
  steady_tokens double precision not null,
  refilled_at timestamptz not null,
  primary key (team_id, class)
);

-- "Wake this workflow": appended by a transaction that changed what the workflow watches.
create table workflow_outbox (
  id bigint generated always as identity primary key,
  workflow text not null,
  key uuid not null,
  team_id uuid not null,
  claimed_until timestamptz not null default '-infinity'::timestamptz,
  inserted_at timestamptz(3) not null default now()
);

-- Keeps a partition for each day from yesterday to a week ahead of every table that is partitioned
-- by "day". The application may run it although it owns nothing.
create function ensure_day_partitions(days_ahead int default 7) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  parent record;
  day date;
  name text;
  made int := 0;
begin
  if not pg_try_advisory_xact_lock(hashtext('ensure_day_partitions')) then
    return 0;
  end if;
  for parent in
    select c.relname from pg_partitioned_table p join pg_class c on c.oid = p.partrelid
    where c.relnamespace = 'public'::regnamespace and pg_get_partkeydef(c.oid) = 'RANGE (day)'
  loop
    for offset_days in -1..days_ahead loop
      day := (now() at time zone 'UTC')::date + offset_days;
      name := parent.relname || '_' || to_char(day, 'YYYYMMDD');
      if to_regclass(name) is null then
        begin
          execute format('create table %I partition of %I for values from (%L) to (%L)',
            name, parent.relname, day, day + 1);
          made := made + 1;
        exception when check_violation then
          -- The default partition already holds rows of that day; they stay there.
          null;
        end;
      end if;
    end loop;
  end loop;
  return made;
end $$;

-- Drops the partitions of one table whose day lies before a date; returns how many. Whoever runs
-- this does so with the owner's rights, so it keeps a fortnight whatever it is asked.
create function drop_day_partitions(parent text, before date) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  child record;
  dropped int := 0;
  bound date := least(before, (now() at time zone 'UTC')::date - 14);
begin
  for child in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = parent::regclass and c.relname ~ ('^' || parent || '_\d{8}$')
  loop
    if to_date(right(child.relname, 8), 'YYYYMMDD') < bound then
      execute format('drop table %I', child.relname);
      dropped := dropped + 1;
    end if;
  end loop;
  return dropped;
end $$;
