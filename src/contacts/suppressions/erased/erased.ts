import type { Keyring } from '../../../platform/auth/keyring.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { insertErasedSuppressions, restoreErasedSuppressions } from './queries.ts';
import type { DigestedAddress } from './queries.ts';

interface Addresses {
  email: string | null;
  phone: string | null;
}

/** Digests of the addresses of a contact, under each key of the list. */
export function digestsOf(keyring: Keyring, { email, phone }: Addresses): DigestedAddress[] {
  const known = [email, phone].filter((address) => address !== null);
  return keyring.keyIds('identity').flatMap((keyId) =>
    known.map((address) => ({
      address,
      keyId,
      digest: keyring.digest('identity', address.toLowerCase(), keyId).digest.toString('hex'),
    })),
  );
}

/** Keeps what recognizes the addresses of suppressions, and nothing that identifies persons. */
export async function keepSuppressionsOfErased(
  sql: Sql,
  keyring: Keyring,
  teamId: string,
  { contactIds, emails, phones }: { contactIds: string[]; emails: string[]; phones: string[] },
): Promise<void> {
  const [keyId] = keyring.keyIds('identity');
  const current = (digested: DigestedAddress) => digested.keyId === keyId;
  const mails = emails.flatMap((email) => digestsOf(keyring, { email, phone: null }));
  const numbers = phones.flatMap((phone) => digestsOf(keyring, { email: null, phone }));
  await insertErasedSuppressions(sql, teamId, contactIds, [
    ...mails.filter(current).map((one) => ({ ...one, channel: 'email' as const })),
    ...numbers.filter(current).map((one) => ({ ...one, channel: 'sms' as const })),
  ]);
}

/**
 * Suppresses addresses again that were suppressed when their owner was erased. Before contacts are
 * written with them, which take the state of their address from the suppression.
 */
export async function restoreSuppressions(
  sql: Sql,
  keyring: Keyring,
  teamId: string,
  contacts: readonly Addresses[],
): Promise<void> {
  const digested = contacts.flatMap((contact) => digestsOf(keyring, contact));
  if (digested.length > 0) await restoreErasedSuppressions(sql, teamId, digested);
}
