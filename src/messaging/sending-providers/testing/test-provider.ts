import type { Database } from '../../../platform/database/client.ts';
import { lockTeam } from '../../../team/queries.ts';
import { claimTest, isTestRequested, writeTest } from './queries.ts';

/** A test without a result after this time was lost with its worker. */
const leaseSeconds = 30;

/** Makes the requested test of a provider. Returns the outcome. */
export async function testProvider(
  { database }: { database: Database },
  teamId: string,
  id: string,
): Promise<string> {
  const provider = await database.transact(async (sql) => {
    await lockTeam(sql, teamId);
    if (!(await isTestRequested(sql, teamId, id))) return 'ended';
    return (await claimTest(sql, teamId, id, leaseSeconds)) ?? 'waiting';
  });
  if (typeof provider === 'string') return provider;
  const code = 'unavailable';
  const isWritten = await database.transact((sql) => writeTest(sql, provider, code));
  return isWritten ? code : 'waiting';
}
