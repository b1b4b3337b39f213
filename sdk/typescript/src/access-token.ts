import { OnwardError } from './errors.ts';
import type { TokenResponse } from './generated/schemas.ts';
import type { ClientOptions } from './types.ts';

export interface AccessTokens {
  /** A valid token; undefined where the client has no credentials. */
  get(): Promise<string | undefined>;
  /** Does not use this token again. Whether there may be another one. */
  discard(token: string): boolean;
}

type Grant = Record<string, string>;

const marginMs = 60_000;

/** Tokens of a client: each is used until shortly before it expires, and renewed once for all. */
export function createAccessTokens(
  { clientId, clientSecret, scope, accessToken }: ClientOptions,
  request: (grant: Grant) => Promise<TokenResponse>,
): AccessTokens {
  if (accessToken !== undefined) return givenTokens(accessToken);
  if (clientId === undefined || clientSecret === undefined) return noTokens;
  const grant = {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    ...(scope !== undefined && { scope }),
  };
  let known: { token: string; renewAtMs: number } | undefined;
  let renewal: Promise<string> | undefined;

  async function renew(): Promise<string> {
    const { access_token: token, expires_in: seconds } = await request(grant);
    const livesMs = seconds * 1_000;
    known = { token, renewAtMs: Date.now() + livesMs - Math.min(marginMs, livesMs / 10) };
    return token;
  }

  return {
    get() {
      if (known && Date.now() < known.renewAtMs) return Promise.resolve(known.token);
      renewal ??= renew().finally(() => (renewal = undefined));
      return renewal;
    },
    discard(token) {
      // Another call may have renewed it in the meantime.
      if (known?.token === token) known = undefined;
      return true;
    },
  };
}

const noTokens: AccessTokens = { get: () => Promise.resolve(undefined), discard: () => false };

function givenTokens(given: string | (() => string | Promise<string>)): AccessTokens {
  if (typeof given === 'string') return { get: () => Promise.resolve(given), discard: () => false };
  return { get: async () => given(), discard: () => true };
}

/** The error of a call that needs a token where there is none. */
export function missingCredentials(operationId: string): OnwardError {
  return new OnwardError(
    'credentials_missing',
    `${operationId} needs a token: give the client clientId and clientSecret, or accessToken.`,
    { operationId },
  );
}
