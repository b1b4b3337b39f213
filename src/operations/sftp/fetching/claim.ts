import type { Sql } from '../../../platform/database/sql.ts';
import { countQueued } from '../../runs/queries.ts';
import { maxQueued } from '../../runs/rules.ts';
import {
  countOthers,
  findSealedSource,
  lockFetch,
  lockFetches,
  writeClaim,
  writePause,
} from './queries.ts';
import type { OpenFetch, SealedSource } from './queries.ts';
import { isSourceSuspended } from './suspended/queries.ts';
import { leaseSeconds, maxTeamFetches, maxClaims, turnPauseSeconds } from './rules.ts';

/** A fetch that is a worker's, with its source where that is active. */
export interface Claim {
  fetch: OpenFetch;
  source: SealedSource | undefined;
}

/**
 * Claims a fetch that is due, or returns the time to retry; undefined once it is done. A fetch of a
 * lost worker is claimed again, since Temporal runs its activity once at a time.
 */
export async function claimFetch(
  sql: Sql,
  teamId: string,
  id: string,
  asOfMs: number,
): Promise<Claim | { nextAt: string; attempts: number } | undefined> {
  await lockFetches(sql, teamId);
  const fetch = await lockFetch(sql, teamId, id);
  if (!fetch) return undefined;
  const { attempts, next_attempt_at: nextAt } = fetch;
  if (Date.parse(nextAt) > asOfMs) return { nextAt, attempts };
  const mustWait =
    (await isSourceSuspended(sql, fetch)) ||
    (await countOthers(sql, fetch)) >= maxTeamFetches ||
    (await countQueued(sql, teamId)) >= maxQueued;
  if (mustWait) {
    const pause = { seconds: turnPauseSeconds, attempts, errorCode: null };
    return { nextAt: await writePause(sql, fetch, pause), attempts };
  }
  const token = await writeClaim(sql, fetch, leaseSeconds);
  if (token > maxClaims) throw new Error('a fetch was claimed too often');
  return { fetch: { ...fetch, token }, source: await findSealedSource(sql, fetch) };
}
