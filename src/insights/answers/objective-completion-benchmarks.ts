import { Type } from 'typebox';
import { Count } from '../../platform/schema/fields.ts';
import { Rate, insight, rate } from '../declaration.ts';
import { eligibleContacts } from './conditions.ts';

/** Fewer teams get no result, since it could reveal one of them. */
const minimumTeams = 5;
/** Eligible contacts from which a team counts. */
const minimumEligible = 100;

interface Peers {
  key: string;
  teams: number;
  p25: number;
  p50: number;
  p75: number;
  rates: number[];
}

export const objectiveCompletionBenchmarks = insight({
  name: 'objective-completion-benchmarks',
  summary: 'Completion rates of objectives compared with other teams',
  definition:
    'team_rate is completed / eligible of gap-analysis. Peers are the teams that take part ' +
    '(is_in_benchmarks) with 100 eligible contacts or more for an objective of the same key, by ' +
    'their figures of the last night; fewer than five give no result, and they are never named. ' +
    'percentile is the share of them, in 100, whose rate is not above that of the team.',
  datasets: ['journeys', 'objective_completions'],
  version: 1,
  filters: [],
  value: Type.Object({
    objectives: Type.Array(
      Type.Object({
        key: Type.String(),
        name: Type.String(),
        team_rate: Rate(),
        peer_p25: Rate(),
        peer_p50: Rate(),
        peer_p75: Rate(),
        percentile: Type.Union([Type.Number(), Type.Null()]),
        sample_teams: Type.Union([Count(), Type.Null()]),
      }),
    ),
    minimum_teams: Count(),
  }),
  async compute(asked) {
    const { sql, teamId } = asked;
    const own = await sql<{ key: string; name: string; eligible: number; completed: number }[]>`
      with eligible as (${eligibleContacts(asked)})
      select o.key, o.name, count(e.contact_id) as eligible,
        count(*) filter (where e.has_completed) as completed
      from objectives o left join eligible e on e.objective_id = o.id
      where o.team_id = ${teamId} and o.deleted_at is null and o.is_active
        and o.archived_at is null
      group by 1, 2 order by 1`;
    const peers = await sql<Peers[]>`
      select r.key, count(*) as teams, array_agg(r.rate) as rates,
        percentile_cont(0.25) within group (order by r.rate) as p25,
        percentile_cont(0.5) within group (order by r.rate) as p50,
        percentile_cont(0.75) within group (order by r.rate) as p75
      from objective_rates r join teams t on t.id = r.team_id and t.is_in_benchmarks
      where r.eligible >= ${minimumEligible} and r.key in ${sql(own.map(({ key }) => key))}
      group by 1 having count(*) >= ${minimumTeams} /* any team: benchmarks name none */`;
    const byKey = new Map(peers.map((row) => [row.key, row]));
    return {
      objectives: own.map(({ key, name, eligible, completed }) => {
        const known = byKey.get(key);
        const teamRate = rate(completed, eligible);
        const notAbove = known?.rates.filter((one) => teamRate !== null && one <= teamRate).length;
        return {
          key,
          name,
          team_rate: teamRate,
          peer_p25: rounded(known?.p25),
          peer_p50: rounded(known?.p50),
          peer_p75: rounded(known?.p75),
          percentile:
            known && teamRate !== null
              ? Math.round(((notAbove ?? 0) / known.teams) * 10_000) / 100
              : null,
          sample_teams: known?.teams ?? null,
        };
      }),
      minimum_teams: minimumTeams,
    };
  },
});

const rounded = (value: number | undefined) =>
  value === undefined ? null : Math.round(value * 10_000) / 10_000;
