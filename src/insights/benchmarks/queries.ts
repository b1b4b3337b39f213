import type { Sql } from '../../platform/database/sql.ts';

/** Teams that take part in benchmarks and whose rates are older than a day, the oldest first. */
export async function listTeamsWithOldRates(sql: Sql, limit: number): Promise<{ id: string }[]> {
  return sql<{ id: string }[]>`
    select t.id from teams t
    left join lateral (
      select min(computed_at) as at from objective_rates r where r.team_id = t.id
    ) r on true
    where t.is_in_benchmarks and (r.at is null or r.at < now() - interval '20 hours')
      and exists (select from journeys j where j.team_id = t.id)
    order by r.at nulls first
    limit ${limit}`;
}

/** Writes down how many contacts of a team are eligible for each objective, and have completed it. */
export async function refreshRates(sql: Sql, teamId: string): Promise<void> {
  await sql`delete from objective_rates where team_id = ${teamId}`;
  await sql`
    insert into objective_rates (team_id, key, eligible, completed)
    select ${teamId}, o.key, count(*), count(*) filter (where exists (
      select from objective_completions c
      where c.team_id = ${teamId} and c.contact_id = pairs.contact_id
        and c.objective_id = pairs.objective_id and c.voided_at is null))
    from (
      select distinct o.objective_id, j.contact_id
      from journeys j
      join template_objectives o on o.team_id = ${teamId} and o.template_id = j.template_id
      join contacts t on t.team_id = ${teamId} and t.id = j.contact_id and t.status = 'active'
      where j.team_id = ${teamId} and not j.is_holdout
    ) pairs
    join objectives o on o.team_id = ${teamId} and o.id = pairs.objective_id
      and o.deleted_at is null
    group by o.key`;
}
