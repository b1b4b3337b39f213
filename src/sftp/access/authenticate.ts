import ipaddr from 'ipaddr.js';
import ssh2 from 'ssh2';
import type { AuthContext } from 'ssh2';
import type { Database } from '../../database/client.ts';
import { findActiveCredential, noteUse } from './queries.ts';
import type { Credential } from './queries.ts';

/**
 * Who a client proves to be, from an address that its credentials allow; undefined for anybody else,
 * whatever the cause. With `isProven` it has signed; else it only asks whether the key would do.
 */
export async function authenticate(
  database: Database,
  context: AuthContext,
  ip: string,
): Promise<{ credential: Credential; isProven: boolean } | undefined> {
  if (context.method !== 'publickey') return undefined;
  const credential = await database.read((sql) => findActiveCredential(sql, context.username));
  if (!credential || !isAllowedFrom(ip, credential.allowed_cidrs)) return undefined;
  const key = ssh2.utils.parseKey(credential.public_key);
  if (key instanceof Error) return undefined;
  const { algo, data } = context.key;
  // For RSA it is the digest; SHA-1 leaves it open, and is refused.
  const isWeak = key.type === 'ssh-rsa' && context.hashAlgo === undefined;
  if (isWeak || algo !== key.type || !key.getPublicSSH().equals(data)) return undefined;
  const { signature, blob } = context;
  if (!signature || !blob) return { credential, isProven: false };
  // An error, not false, where it cannot be judged.
  const isGood: unknown = key.verify(blob, signature, context.hashAlgo);
  if (isGood !== true) return undefined;
  await database.read((sql) => noteUse(sql, credential));
  return { credential, isProven: true };
}

/** Without networks every address will do. An IPv4 address may come in the clothes of IPv6. */
function isAllowedFrom(ip: string, networks: readonly string[]): boolean {
  if (networks.length === 0) return true;
  if (!ipaddr.isValid(ip)) return false;
  const address = ipaddr.process(ip);
  return networks.some((cidr) => {
    const network = ipaddr.parseCIDR(cidr);
    return network[0].kind() === address.kind() && address.match(network);
  });
}
