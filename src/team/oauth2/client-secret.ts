import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { insertClientSecret, liveSecrets } from './queries.ts';

interface ClientIds {
  teamId: string;
  clientId: string;
}

/** Creates a client secret of 256 random bits, stores its digest, and returns it once. */
export async function issueClientSecret(
  sql: Sql,
  keyring: Keyring,
  client: ClientIds,
  overlapSeconds: number,
): Promise<string> {
  const secret = `ocs_${randomBytes(32).toString('base64url')}`;
  const { keyId: pepperId, digest } = keyring.digest('pepper', secret);
  const stored = { pepperId, digest, hint: secret.slice(-4) };
  await insertClientSecret(sql, client, stored, overlapSeconds);
  return secret;
}

/** Whether a secret is one of those that the client may use now. */
export async function isLiveSecret(
  sql: Sql,
  keyring: Keyring,
  { teamId, clientId }: ClientIds,
  secret: string,
): Promise<boolean> {
  const secrets = await liveSecrets(sql, teamId, clientId);
  return secrets.some(({ pepper_id, digest }) =>
    timingSafeEqual(keyring.digest('pepper', secret, pepper_id).digest, digest),
  );
}
