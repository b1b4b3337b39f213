import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { Consent, Consents } from '../contact.ts';
import { changeContact } from '../edit.ts';
import type { ContactRow } from '../queries.ts';
import { isOptOut } from './rules.ts';

/** Takes back a consent of contacts that are locked, unless their recipient did so before. */
export async function leaveChannel(
  sql: Sql,
  keyring: Keyring,
  contacts: readonly ContactRow[],
  channel: keyof Consents,
  consent: Consent,
): Promise<void> {
  const consents = { [channel]: consent };
  for (const contact of contacts) {
    if (isOptOut(contact.consents[channel])) continue;
    await changeContact(sql, contact, { consents }, { clientId: null }, keyring);
  }
}
