import { forEachAlone } from '../../platform/batching/isolate.ts';
import type { RowLoop } from '../../platform/batching/isolate.ts';
import type { Database } from '../../platform/database/client.ts';
import type { Log } from '../../platform/observability/log.ts';
import { listExpiredSoftBounces, lockSoftBounces } from './queries.ts';
import type { SoftBounced } from './queries.ts';
import { unsuppress } from './suppress.ts';

/** Nothing is sent to a suppressed address, so no delivery would ever end a suppression. */
const softBounceDays = 30;

const softBounceLoop: RowLoop<SoftBounced> = {
  name: 'soft-bounces',
  keyOf: ({ team_id, id }) => ({ team_id, id }),
};

/** Lifts suppressions by soft bounces whose term has ended; returns the number that it looked at. */
export async function liftExpiredSoftBounces(
  database: Database,
  limit: number,
  log: Log,
): Promise<number> {
  const rows = await database.read((sql) => listExpiredSoftBounces(sql, softBounceDays, limit));
  let done = 0;
  await forEachAlone({ database, log }, softBounceLoop, rows, async ({ team_id, id, address }) => {
    await database.transact(async (sql) => {
      const suppression = await lockSoftBounces(sql, team_id, address);
      // Another one may have replaced it meanwhile.
      if (suppression?.id === id) await unsuppress(sql, suppression);
    });
    done += 1;
  });
  return done;
}
