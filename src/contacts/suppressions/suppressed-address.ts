import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { digestsOf } from './erased/erased.ts';
import { findAddressSuppression } from './queries.ts';

/**
 * Whether nothing is sent to an address of a channel, which need not be that of a contact. A
 * suppression outlives the erasure of the contact that it concerned.
 */
export async function isAddressSuppressed(
  sql: Sql,
  keyring: Keyring,
  { teamId, channel }: { teamId: string; channel: 'email' | 'sms' | 'push' },
  address: string,
): Promise<boolean> {
  if (channel === 'push') return false;
  const digested = await digestsOf(sql, keyring, [address]);
  const digests = digested.map(({ digest }) => digest);
  return findAddressSuppression(sql, teamId, { channel, address, digests });
}
