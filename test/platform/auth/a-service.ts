import { createSigningKeys } from '../../../src/platform/auth/signing-keys.ts';
import { createTokenService } from '../../../src/platform/auth/tokens.ts';
import { connectDatabase } from '../../../src/platform/database/client.ts';
import type { Database } from '../../../src/platform/database/client.ts';
import { HttpError } from '../../../src/platform/http/errors.ts';
import type { TestApi } from '../../support/api.ts';

const pools: Database[] = [];

/** For the end of a test file: closes the connections of its services. */
export async function closeServices(): Promise<void> {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
}

/** The token service of one more API process, that remembers callers for `ttlMs`. */
export function aTokenService(api: TestApi, ttlMs?: number) {
  const pool = connectDatabase({ url: api.db.url, maxConnections: 3, applicationName: 'tokens' });
  pools.push(pool);
  let reads = 0;
  const database: Database = {
    ...pool,
    read: (work, options) => {
      reads += 1;
      return pool.read(work, options);
    },
  };
  const keys = createSigningKeys(database, api.keyring);
  const tokens = createTokenService(database, keys, api.config.publicBaseUrl, ttlMs);
  return { tokens, keys, reads: () => reads };
}

/** Code of the problem with which a call is refused; 'accepted' when it is not. */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'accepted';
  } catch (error) {
    if (error instanceof HttpError) return error.problems[0].code;
    throw error;
  }
}
