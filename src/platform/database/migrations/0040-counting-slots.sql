-- A slot of counters in which no other transaction counts: of two that shared one, the second would
-- wait for the first to commit. Only the seventeenth at a time has to share.
create function free_counter_shard() returns int language plpgsql as $$
begin
  for slot in 0..15 loop
    if pg_try_advisory_xact_lock(hashtext('free_counter_shard'), slot) then
      return slot;
    end if;
  end loop;
  return pg_backend_pid() % 16;
end $$;

-- They took one by the process that served them, which any two may have had in common.
do $$
declare
  counting regprocedure;
begin
  foreach counting in array
    array['count_journeys()', 'count_message_deliveries()']::regprocedure[]
  loop
    execute replace(pg_get_functiondef(counting),
      'pg_backend_pid() % 16', '(select free_counter_shard())');
  end loop;
end $$;
