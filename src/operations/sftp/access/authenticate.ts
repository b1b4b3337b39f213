import ssh2 from 'ssh2';
import type { AuthContext } from 'ssh2';
import type { Database } from '../../../platform/database/client.ts';
import { isInNetworks } from '../../../platform/http/client-address.ts';
import { findActiveCredential, recordUse } from './queries.ts';
import type { Credential } from './queries.ts';

/**
 * Returns the credential of a client that connects from an allowed address; undefined otherwise.
 * `isProven` is true after a signature; without one, the client only checks whether the key is
 * accepted.
 */
export async function authenticate(
  database: Database,
  context: AuthContext,
  ip: string,
): Promise<{ credential: Credential; isProven: boolean } | undefined> {
  if (context.method !== 'publickey') return undefined;
  const credential = await database.read((sql) => findActiveCredential(sql, context.username));
  if (!credential) return undefined;
  const { allowed_cidrs: networks } = credential;
  if (networks.length > 0 && !isInNetworks(ip, networks)) return undefined;
  const key = ssh2.utils.parseKey(credential.public_key);
  if (key instanceof Error) return undefined;
  const { algo, data } = context.key;
  // For RSA it is the digest; SHA-1 leaves it open, and is refused.
  const isWeak = key.type === 'ssh-rsa' && context.hashAlgo === undefined;
  if (isWeak || algo !== key.type || !key.getPublicSSH().equals(data)) return undefined;
  const { signature, blob } = context;
  if (!signature || !blob) {
    // ssh2 answers with the type of the key, while clients compare with the algorithm that they named.
    if (context.hashAlgo) context.key.algo = `rsa-sha2-${context.hashAlgo.slice('sha'.length)}`;
    return { credential, isProven: false };
  }
  // An error, not false, where it cannot be verified.
  const isGood: unknown = key.verify(blob, signature, context.hashAlgo);
  if (isGood !== true) return undefined;
  await database.read((sql) => recordUse(sql, credential));
  return { credential, isProven: true };
}
