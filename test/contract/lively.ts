import { connectDatabase } from '../../src/database/client.ts';
import type { Endpoint } from '../../src/http/endpoint.ts';
import { planOf } from '../../src/commands/seed/campaigns.ts';
import { fillTeam, fillYear } from '../../src/commands/seed/fill.ts';
import type { TestApi, TestTeam } from '../support/api.ts';

const contacts = 100;
/** Enough that groups of thirty are told of. */
const events = 1_500;
const seed = 1;

/** A team with a year behind it, so that all that insights tell of has happened. */
export async function fillLively(api: TestApi, team: TestTeam): Promise<TestTeam> {
  const database = connectDatabase({
    ...{ url: api.db.ownerUrl, maxConnections: 3, applicationName: 'tests' },
  });
  const say = () => undefined;
  try {
    await fillTeam(database, team.id, contacts, say);
    await fillYear(database, team.id, { events, contacts, seed, nowMs: Date.now() }, say);
    // Not all of it counts.
    await database.read(
      (sql) => sql`
        update contacts set status = 'suppressed'
        where team_id = ${team.id} and hashtext(id::text) % 3 = 0`,
    );
    await database.read(
      (sql) => sql`
        update templates set deleted_at = now()
        where team_id = ${team.id} and id = ${planOf(team.id, seed).templates.at(-1)?.id ?? ''}`,
    );
  } finally {
    await database.close();
  }
  return team;
}

/** Whether it tells of what has happened to a team, and not of what the team has made. */
export function tellsOfAYear({ path }: Endpoint): boolean {
  return path.startsWith('/v2/partner/insights/advanced/');
}

/** All of it, and by each of the filters that the endpoint has. */
export function queriesOfAYear({ id: teamId }: TestTeam, { query }: Endpoint): string[] {
  const { templates, cohort } = planOf(teamId, seed);
  const filters = {
    'filter[template_id]': templates[0]?.id ?? '',
    'filter[cohort_id]': cohort.id,
    'filter[channel]': 'email',
  };
  const taken = Object.entries(filters).filter(([name]) => name in (query?.properties ?? {}));
  return ['', ...taken.map(([name, value]) => `&${name}=${value}`)].map(
    (filter) => `?period=P365D${filter}`,
  );
}
