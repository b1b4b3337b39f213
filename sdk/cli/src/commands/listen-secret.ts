import { createHash, randomBytes } from 'node:crypto';
import type { Credentials } from '../credentials.ts';
import { configFile, readPrivate, writePrivate } from '../private-files.ts';
import type { Terminal } from '../session.ts';

/**
 * The secret that `listen` signs with. It stays the same for a service, a client and an address, so
 * that a receiver can be started before `listen`, and again.
 */
export function secretFor(
  { url, clientId }: Credentials,
  forward: string,
  { environment }: Terminal,
  isNew: boolean,
): string {
  const name = createHash('sha256')
    .update(JSON.stringify([url, clientId, forward]))
    .digest('hex');
  const path = configFile(environment, 'listen', `${name}.secret`);
  const known = isNew ? undefined : readPrivate(path)?.trim();
  if (known !== undefined && /^whsec_[A-Za-z0-9+/=]{32,}$/.test(known)) return known;
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  writePrivate(path, `${secret}\n`);
  return secret;
}
