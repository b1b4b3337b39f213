import { randomBytes } from 'node:crypto';
import type { Keyring } from '../auth/keyring.ts';
import type { Sql } from '../database/client.ts';
import { insertClientSecret } from './queries.ts';

/** Makes a client secret of 256 random bits, keeps its digest, and returns it for the only time. */
export async function issueClientSecret(
  sql: Sql,
  keyring: Keyring,
  client: { teamId: string; clientId: string },
  overlapSeconds: number,
): Promise<string> {
  const secret = `ocs_${randomBytes(32).toString('base64url')}`;
  const stored = { ...keyring.digest(secret), hint: secret.slice(-4) };
  await insertClientSecret(sql, client, stored, overlapSeconds);
  return secret;
}
