import type { Keyring } from '../../../platform/auth/keyring.ts';
import type { Database } from '../../../platform/database/client.ts';
import type { Egress } from '../../../platform/egress/client.ts';
import { lockTeam } from '../../../team/queries.ts';
import { createTeamSender } from '../../providers/team-senders.ts';
import { openSecrets } from '../queries.ts';
import { claimTest, isTestRequested, writeTest } from './queries.ts';

/** Longest duration of a login. */
const checkMs = 10_000;
/** A test without a result after this time was lost with its worker. */
const leaseSeconds = 30;

/**
 * Makes the requested test of a provider: logs in, and sends nothing. Returns the outcome;
 * `waiting` while another provider of the team is tested, and after a change of the settings
 * meanwhile.
 */
export async function testProvider(
  { database, keyring, egress }: { database: Database; keyring: Keyring; egress: Egress },
  teamId: string,
  id: string,
): Promise<string> {
  const provider = await database.transact(async (sql) => {
    await lockTeam(sql, teamId);
    if (!(await isTestRequested(sql, teamId, id))) return 'ended';
    return (await claimTest(sql, teamId, id, leaseSeconds)) ?? 'waiting';
  });
  if (typeof provider === 'string') return provider;
  const secrets = openSecrets(keyring, provider);
  const sender = createTeamSender(provider, secrets, { egress, connections: 1 });
  try {
    const check = await sender.check(checkMs);
    const code = check.isOk ? null : check.code;
    const isWritten = await database.transact((sql) => writeTest(sql, provider, code));
    return isWritten ? (code ?? 'succeeded') : 'waiting';
  } finally {
    await sender.close();
  }
}
