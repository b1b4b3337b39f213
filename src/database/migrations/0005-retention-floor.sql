-- Whoever runs this does so with the owner's rights, so it keeps a fortnight whatever it is asked.
create or replace function drop_day_partitions(parent text, before date) returns int
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
