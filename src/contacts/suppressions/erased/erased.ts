import type { Keyring } from '../../../platform/auth/keyring.ts';
import { foldingOf } from '../../../platform/database/folded.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { insertErasedSuppressions, restoreErasedSuppressions } from './queries.ts';
import type { DigestedAddress } from './queries.ts';

interface Addresses {
  email: string | null;
  phone: string | null;
}

/** Digests of addresses, regardless of case, under each key of the list. */
export async function digestsOf(
  sql: Sql,
  keyring: Keyring,
  addresses: readonly string[],
): Promise<DigestedAddress[]> {
  const folded = await foldingOf(sql, addresses);
  const known = [...new Set(addresses)];
  return keyring.keyIds('identity').flatMap((keyId) =>
    known.map((address) => ({
      address,
      keyId,
      digest: keyring.digest('identity', folded(address), keyId).digest.toString('hex'),
    })),
  );
}

/** The address and the number of a contact, as far as it has them. */
export const addressesOf = ({ email, phone }: Addresses): string[] =>
  [email, phone].filter((address) => address !== null);

/** Keeps what recognizes the addresses of suppressions, and nothing that identifies persons. */
export async function keepSuppressionsOfErased(
  sql: Sql,
  keyring: Keyring,
  teamId: string,
  { contactIds, emails, phones }: { contactIds: string[]; emails: string[]; phones: string[] },
): Promise<void> {
  const [keyId] = keyring.keyIds('identity');
  const current = (digested: DigestedAddress) => digested.keyId === keyId;
  const mails = await digestsOf(sql, keyring, emails);
  const numbers = await digestsOf(sql, keyring, phones);
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
  const digested = await digestsOf(sql, keyring, contacts.flatMap(addressesOf));
  if (digested.length > 0) await restoreErasedSuppressions(sql, teamId, digested);
}
