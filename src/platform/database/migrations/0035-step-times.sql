-- Steps that were computed beyond the year 9999 had a form that Postgres takes for no time, so that
-- their journeys could not be read. They get the last time that is stored.
update journeys j
set scheduled_steps = (
  select jsonb_object_agg(step.key, case
    when step.value ->> 'due_at' ~ '^[+-]'
      then step.value || '{"due_at": "9999-12-31T23:59:59.999Z"}' else step.value end)
  from jsonb_each(j.scheduled_steps) as step)
where scheduled_steps::text ~ '"due_at": "[+-]';
