-- Comparison of text, partitions and counters, which every domain uses.

-- The one comparison of text regardless of case and of composed or decomposed letters: Unicode's full
-- case folding by a collation that Postgres has built in, the same on every installation. Indexes are
-- made by it: another result needs new ones.
create or replace function folded(value text) returns text
  language sql immutable strict parallel safe
  return normalize(casefold(normalize(value, nfc) collate pg_unicode_fast), nfc);
comment on function folded is 'Text as it is compared regardless of case and of composed or decomposed letters.';

-- Creates a partition for each day from yesterday to `days_ahead` of every table that is partitioned
-- by "day". Outcomes leave dead entries in front of what lanes and recoveries look for; with the
-- default they would be a fifth of a day. It runs with the owner's rights, since the application owns
-- no table.
create or replace function ensure_day_partitions(days_ahead int default 7) returns int
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
          execute format('create table %I partition of %I for values from (%L) to (%L)
            with (autovacuum_vacuum_scale_factor = 0.02)', name, parent.relname, day, day + 1);
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

-- Drops the partitions of one table whose day lies before a date; returns how many. It runs with the
-- owner's rights, so it refuses to drop recent days: the request log keeps a week, the bytes of
-- callbacks eight days, every other table a fortnight.
create or replace function drop_day_partitions(parent text, before date) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  child record;
  dropped int := 0;
  kept int := case parent when 'request_log' then 7 when 'inbound_raw' then 8 else 14 end;
  bound date := least(before, (now() at time zone 'UTC')::date - kept);
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

-- Creates a partition for each month, from `months_back` ago to `months_ahead`, of every table that is
-- partitioned by "occurred_at" or "inserted_at". It runs with the owner's rights.
create or replace function ensure_month_partitions(
  months_back int default 1, months_ahead int default 2) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  parent text;
  month timestamp;
  name text;
  made int := 0;
begin
  if not pg_try_advisory_xact_lock(hashtext('ensure_month_partitions')) then
    return 0;
  end if;
  for parent in
    select c.relname from pg_partitioned_table p join pg_class c on c.oid = p.partrelid
    where c.relnamespace = 'public'::regnamespace
      and pg_get_partkeydef(c.oid) in ('RANGE (occurred_at)', 'RANGE (inserted_at)')
  loop
    for offset_months in -months_back..months_ahead loop
      month := date_trunc('month', now() at time zone 'UTC')
        + make_interval(months => offset_months);
      name := parent || '_' || to_char(month, 'YYYYMM');
      if to_regclass(name) is null then
        begin
          execute format('create table %I partition of %I for values from (%L) to (%L)',
            name, parent, month at time zone 'UTC',
            (month + interval '1 month') at time zone 'UTC');
          made := made + 1;
        exception when check_violation then
          -- The default partition already holds rows of that month; they stay there.
          null;
        end;
      end if;
    end loop;
  end loop;
  return made;
end $$;

-- Drops the months of one table that lie before a date; returns how many. It runs with the owner's
-- rights, so it always keeps thirteen months.
create or replace function drop_month_partitions(parent text, before date) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  child record;
  dropped int := 0;
  bound date := least(before, (now() at time zone 'UTC' - interval '13 months')::date);
begin
  for child in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = parent::regclass and c.relname ~ ('^' || parent || '_\d{6}$')
  loop
    if (to_date(right(child.relname, 6), 'YYYYMM') + interval '1 month')::date <= bound then
      execute format('drop table %I', child.relname);
      dropped := dropped + 1;
    end if;
  end loop;
  return dropped;
end $$;

-- Drops the empty months of one table that ended more than three months ago; returns how many. Rows
-- with terms of their own are deleted before. It runs with the owner's rights.
create or replace function drop_empty_month_partitions(parent text) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  child record;
  is_used boolean;
  dropped int := 0;
  bound date := (now() at time zone 'UTC' - interval '3 months')::date;
begin
  for child in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = parent::regclass and c.relname ~ ('^' || parent || '_\d{6}$')
  loop
    if (to_date(right(child.relname, 6), 'YYYYMM') + interval '1 month')::date <= bound then
      execute format('select exists (select from %I)', child.relname) into is_used;
      if not is_used then
        execute format('lock table %I in access exclusive mode', child.relname);
        execute format('select exists (select from %I)', child.relname) into is_used;
      end if;
      if not is_used then
        execute format('drop table %I', child.relname);
        dropped := dropped + 1;
      end if;
    end if;
  end loop;
  return dropped;
end $$;

-- Returns a slot of counters in which no other transaction counts. If two transactions shared a slot,
-- the second would wait for the first to commit; that happens only to the seventeenth at a time.
create or replace function free_counter_shard() returns int language plpgsql as $$
begin
  for slot in 0..15 loop
    if pg_try_advisory_xact_lock(hashtext('free_counter_shard'), slot) then
      return slot;
    end if;
  end loop;
  return pg_backend_pid() % 16;
end $$;

-- A sum, or the nearest integer that every JSON parser reads exactly: ±(2^53−1). Null stays null.
create or replace function to_safe_integer(sum numeric) returns bigint
language sql immutable strict parallel safe as $$
  select least(greatest(sum, -9007199254740991), 9007199254740991)::bigint
$$;
