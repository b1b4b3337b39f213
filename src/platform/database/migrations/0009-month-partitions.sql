-- One function for all that is partitioned by month, whichever its stamp.

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

drop function ensure_delivery_partitions(int);
