import { masked } from '../../campaigns/messages/rules.ts';
import type { FormerAddress } from '../../contacts/consents/rules.ts';
import { openEarlierIdentity } from '../../contacts/earlier-identities/earlier-identities.ts';
import { findLostAfter } from '../../contacts/earlier-identities/queries.ts';
import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { MessageDeliveryRow } from '../message-deliveries/message-delivery.ts';

/** The address or number that a message was sent to, if its contact has got another one since. */
export async function formerAddressOf(
  sql: Sql,
  keyring: Keyring,
  delivery: MessageDeliveryRow,
): Promise<FormerAddress | undefined> {
  const { team_id: teamId, contact_id, channel, sent_at, to_masked } = delivery;
  if (channel === 'push' || sent_at === null) return undefined;
  const kind = channel === 'email' ? 'email' : 'phone';
  const lost = await findLostAfter(sql, teamId, { contact_id, kind }, sent_at);
  const address = lost && openEarlierIdentity(keyring, teamId, lost);
  return address !== undefined && masked(address) === to_masked ? { channel, address } : undefined;
}
