import { hash, randomUUID } from 'node:crypto';
import { SignJWT, errors, jwtVerify } from 'jose';
import type { JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Database } from '../database/client.ts';
import { isUuid } from '../fields.ts';
import { fail } from '../http/errors.ts';
import type { Principal } from './principal.ts';
import { withImplied } from './scopes.ts';
import { signingAlgorithm } from './signing-keys.ts';
import type { SigningKeys } from './signing-keys.ts';

/** Lifetime of a partner token, in seconds (interface document). */
export const tokenLifetimeSeconds = 3_600;
/** Bounds how long a revoked token, a disabled client or another tier is still seen the old way. */
export const callerTtlMs = 5_000;
const maxTokenBytes = 8_192;

export interface TokenService {
  /** Signs a partner token (RFC 9068). */
  issue(grant: { teamId: string; clientId: string; scopes: readonly string[] }): Promise<string>;
  /** Verifies a bearer token; throws token_invalid or token_expired. */
  verify(token: string): Promise<Principal>;
  /** Claims of a token of ours, expired or not, for its revocation; undefined when it is not ours. */
  inspect(
    token: string,
  ): Promise<{ tokenId: string; clientId: string; expiresAt: Date } | undefined>;
  keys: SigningKeys;
}

interface CallerRow {
  is_active: boolean;
  tokens_valid_after: string;
  tier: string;
  is_revoked: boolean;
}

interface Verified {
  principal: Principal;
  expiresAtMs: number;
}

interface Claims {
  clientId: string;
  teamId: string;
  tokenId: string;
  scope: string;
  issuedAt: number;
  expiresAt: number;
}

export function createTokenService(
  database: Database,
  keys: SigningKeys,
  issuer: string,
  ttlMs = callerTtlMs,
): TokenService {
  const audience = `${issuer}/v2`;
  const verified = new LRUCache<string, Promise<Verified>>({ max: 20_000, ttl: ttlMs });

  async function readClaims(token: string, clock?: Date): Promise<Claims> {
    const { payload } = await jwtVerify(
      token,
      async ({ kid, ...header }) => {
        const extras = ['jku', 'jwk', 'x5u', 'x5c', 'crit'].some((name) => name in header);
        const key = kid === undefined || extras ? undefined : await keys.find(kid);
        if (!key) throw new errors.JWKSNoMatchingKey();
        return key.publicKey;
      },
      {
        algorithms: [signingAlgorithm],
        typ: 'at+jwt',
        issuer,
        audience,
        clockTolerance: 5,
        requiredClaims: ['sub', 'jti', 'iat', 'exp', 'client_id', 'team_id', 'scope'],
        ...(clock && { currentDate: clock }),
      },
    );
    return toClaims(payload);
  }

  async function check(token: string): Promise<Verified> {
    let claims: Claims;
    try {
      claims = await readClaims(token);
    } catch (error) {
      if (error instanceof errors.JWTExpired) {
        throw fail('token_expired', { detail: 'The token has expired; ask for a new one.' });
      }
      if (error instanceof errors.JOSEError) throw invalid();
      throw error;
    }
    const { teamId, clientId, tokenId, scope, issuedAt, expiresAt } = claims;
    const caller = await database.read(async (sql) => {
      const [row] = await sql<CallerRow[]>`
        select c.is_active, c.tokens_valid_after, t.tier,
          exists (select from revoked_tokens r where r.token_id = ${tokenId}) as is_revoked
        from clients c join teams t on t.id = c.team_id
        where c.team_id = ${teamId} and c.id = ${clientId}`;
      return row;
    });
    const validAfterMs = Date.parse(caller?.tokens_valid_after ?? '');
    if (!caller?.is_active || caller.is_revoked || issuedAt * 1_000 < validAfterMs) throw invalid();
    return {
      expiresAtMs: expiresAt * 1_000,
      principal: {
        tokenKind: 'partner',
        teamId,
        clientId,
        tier: caller.tier,
        scopes: new Set(withImplied(scope.split(' ').filter(Boolean))),
      },
    };
  }

  return {
    keys,
    async issue({ teamId, clientId, scopes }) {
      const key = await keys.current();
      // In ms, or a token issued within the second after its client was changed would count as older.
      const now = Date.now() / 1_000;
      return new SignJWT({
        client_id: clientId,
        team_id: teamId,
        token_kind: 'partner',
        scope: scopes.join(' '),
      })
        .setProtectedHeader({ alg: signingAlgorithm, typ: 'at+jwt', kid: key.id })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(clientId)
        .setJti(randomUUID())
        .setIssuedAt(now)
        .setExpirationTime(Math.floor(now) + tokenLifetimeSeconds)
        .sign(key.privateKey);
    },
    async verify(token) {
      if (token.length > maxTokenBytes) throw invalid();
      const cacheKey = hash('sha256', token, 'base64');
      let pending = verified.get(cacheKey);
      if (!pending) {
        pending = check(token);
        verified.set(cacheKey, pending);
        // A failure is not remembered: the token may be good once the database is back.
        pending.catch(() => verified.delete(cacheKey));
      }
      const { principal, expiresAtMs } = await pending;
      if (Date.now() > expiresAtMs + 5_000) {
        throw fail('token_expired', { detail: 'The token has expired; ask for a new one.' });
      }
      return principal;
    },
    async inspect(token) {
      try {
        const { tokenId, clientId, expiresAt } = await readClaims(token, new Date(0));
        return { tokenId, clientId, expiresAt: new Date(expiresAt * 1_000) };
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}

function invalid() {
  return fail('token_invalid', { detail: 'The token is not one of ours, was changed or revoked.' });
}

function toClaims(payload: JWTPayload): Claims {
  const { client_id, team_id, scope, jti, iat, exp } = payload;
  if (
    typeof client_id !== 'string' ||
    typeof team_id !== 'string' ||
    typeof scope !== 'string' ||
    jti === undefined ||
    iat === undefined ||
    exp === undefined ||
    ![client_id, team_id, jti].every(isUuid) ||
    exp - iat > tokenLifetimeSeconds
  ) {
    throw new errors.JWTInvalid('unexpected claims');
  }
  return {
    clientId: client_id,
    teamId: team_id,
    tokenId: jti,
    scope,
    issuedAt: iat,
    expiresAt: exp,
  };
}
