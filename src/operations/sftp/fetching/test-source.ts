import type { Database } from '../../../platform/database/client.ts';
import { fileSourceSealContext } from '../../file-sources/queries.ts';
import type { Failure } from '../upload-status.ts';
import { fetchFailureOf } from './failure.ts';
import type { Fetching } from './fetch.ts';
import { tryHttps } from './https-client.ts';
import { claimTest, isTestRequested, lockFetches, writeTest } from './queries.ts';
import type { OpenSource } from './queries.ts';
import { leaseSeconds, testMs } from './rules.ts';
import { createScope } from './scope.ts';
import { logIn } from './sftp-client.ts';

interface Tested {
  teamId: string;
  sourceId: string;
}

/**
 * Runs the requested test of a source: connects, checks the server and logs in. Returns the
 * outcome; `waiting` while another source of the team is tested. Throws if the source is not the
 * cause.
 */
export async function testSource(
  { database, keyring, egress, limits, stopping }: Omit<Fetching, 'scheduleMs'>,
  tested: Tested,
): Promise<string> {
  const { teamId, sourceId } = tested;
  const sealed = await database.transact(async (sql) => {
    await lockFetches(sql, teamId);
    if (!(await isTestRequested(sql, teamId, sourceId))) return 'ended';
    return (await claimTest(sql, teamId, sourceId, leaseSeconds)) ?? 'waiting';
  });
  if (typeof sealed === 'string') return sealed;
  const { sealed_credential, ...rest } = sealed;
  const secret = keyring.open(sealed_credential, fileSourceSealContext(teamId, sourceId));
  const source: OpenSource = { ...rest, secret };
  const scope = createScope(
    egress,
    { ...limits, openMs: Math.min(limits.openMs, testMs) },
    stopping,
  );
  try {
    await scope.opening(async () => {
      if (source.source_kind === 'sftp') await logIn(scope, source);
      else await tryHttps(egress, scope, source);
    });
  } catch (error) {
    const failure = fetchFailureOf(error)?.failure;
    if (!failure) throw error;
    return await endTest(database, tested, failure);
  } finally {
    scope.close();
  }
  return endTest(database, tested, undefined);
}

export async function endTest(
  database: Database,
  { teamId, sourceId }: Tested,
  failure: Failure | undefined,
): Promise<string> {
  await database.transact((sql) => writeTest(sql, teamId, sourceId, failure));
  return failure?.code ?? 'succeeded';
}
