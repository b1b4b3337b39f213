import type { Log } from '../observability/log.ts';
import { createFreshValue } from '../time/fresh-value.ts';
import { fail } from './errors.ts';

/** Settings of all teams that decide about requests before their team is looked up. */
export interface TeamStates {
  /** Teams by the host of their tracked links, which each team has proven to be its own. */
  teamOfHost: ReadonlyMap<string, string>;
  /** Teams that an operator has suspended. */
  suspended: ReadonlySet<string>;
  /** Days after which the tracked links of a team end, where the team has shortened them. */
  linkDays: ReadonlyMap<string, number>;
}

export interface KnownTeamStates {
  /** Reads them if they are older than five seconds; the last ones while Postgres is unavailable. */
  current(): Promise<TeamStates>;
}

const freshMs = 5_000;

/**
 * Caches the states as a whole: an unknown host or team costs a look into a map, so that made-up
 * ones cost neither a query nor memory.
 */
export function createTeamStates(
  first: TeamStates,
  load: () => Promise<TeamStates>,
  log: Log,
  now = () => performance.now(),
): KnownTeamStates {
  const current = createFreshValue({
    ...{ first, load, freshMs, now },
    onFailure(error) {
      log.warn({ err: error }, 'the states of teams could not be read; the last ones hold');
    },
  });
  return { current };
}

/** Throws 403 for a team that an operator has suspended. */
export async function refuseSuspendedTeam(
  { teamStates }: { teamStates: KnownTeamStates },
  teamId: string,
): Promise<void> {
  if (!(await teamStates.current()).suspended.has(teamId)) return;
  throw fail('team_suspended', { detail: 'The operator of the service has suspended the team.' });
}
