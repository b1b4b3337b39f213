-- Templates may end the journeys of contacts that leave the cohort which brought them.
alter table templates add column exit_on_leaving_cohort boolean not null default false;
alter table template_versions
  add column exit_on_leaving_cohort boolean not null
    generated always as (coalesce((content ->> 'exit_on_leaving_cohort')::boolean, false)) stored;

create index journeys_cohort on journeys (team_id, cohort_id, id)
  where cohort_id is not null and status in ('scheduled', 'active', 'paused');
