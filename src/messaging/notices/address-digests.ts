import type { Keyring } from '../../platform/auth/keyring.ts';
import { foldingOf } from '../../platform/database/folded.ts';
import type { Sql } from '../../platform/database/sql.ts';

/** The address of a notice. */
export interface NoticeAddress {
  channel: 'email' | 'sms';
  address: string;
}

const digestBytes = 16;

/**
 * Digests of addresses: a link or code that carries the digest of the address it was sent to proves
 * nothing for another one. An address has one under each key of the list, that of the current key
 * first, and the same in any letter case.
 */
export async function addressDigests(
  sql: Sql,
  keyring: Keyring,
  addresses: readonly string[],
): Promise<(to: NoticeAddress) => [Buffer, ...Buffer[]]> {
  const folded = await foldingOf(sql, addresses);
  return ({ channel, address }) => {
    const text = `address\n${channel}\n${folded(address)}`;
    const under = (keyId?: string) =>
      keyring.digest('confirmation', text, keyId).digest.subarray(0, digestBytes);
    return [under(), ...keyring.keyIds('confirmation').slice(1).map(under)];
  };
}

/** Whether a digest is that of the address that a contact has now. */
export async function isDigestOf(
  sql: Sql,
  keyring: Keyring,
  digest: Buffer,
  { channel, address }: { channel: NoticeAddress['channel']; address: string | null },
): Promise<boolean> {
  if (address === null) return false;
  const digestsOf = await addressDigests(sql, keyring, [address]);
  return digestsOf({ channel, address }).some((one) => one.equals(digest));
}
