import { hash, randomUUID } from 'node:crypto';
import { errors } from 'jose';
import type { JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Database } from '../database/client.ts';
import { isUuid } from '../schema/fields.ts';
import { isInNetworks } from '../http/client-address.ts';
import { fail } from '../http/errors.ts';
import type { HttpError } from '../http/errors.ts';
import type { Principal } from './principal.ts';
import {
  issuedAtMsOf,
  maxTokenBytes,
  signToken,
  tokenInvalid,
  tokenLifetimeSeconds,
  tokenRefusal,
  verifyToken,
} from './jwt.ts';
import { withImplied } from './scopes.ts';
import type { SigningKeys } from './signing-keys.ts';

/** Bounds how long a revoked token, a disabled client or another tier is still seen the old way. */
export const callerTtlMs = 5_000;

export interface TokenService {
  /** Signs a partner token (RFC 9068). */
  issue(grant: Grant): Promise<string>;
  /**
   * Verifies a bearer token that was sent from an address; throws token_invalid, token_expired or
   * address_not_allowed.
   */
  verify(token: string, address: string): Promise<Principal>;
  /** Claims of a valid or expired token, for its revocation; undefined for other tokens. */
  inspect(
    token: string,
  ): Promise<{ tokenId: string; clientId: string; expiresAt: Date } | undefined>;
  keys: SigningKeys;
}

interface Grant {
  teamId: string;
  clientId: string;
  scopes: readonly string[];
  /** A random one if absent. */
  tokenId?: string;
  /** At most `tokenLifetimeSeconds`, which is the default. */
  lifetimeSeconds?: number;
  /** For the browser of a person, who is not in the networks of the client. */
  isOfPerson?: boolean;
}

interface CallerRow {
  is_suspended: boolean;
  tokens_valid_after: string;
  tier: string;
  contact_reads_days: number | null;
  networks: string[] | null;
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
  isOfPerson: boolean;
  issuedAtMs: number;
  expiresAt: number;
}

export function createTokenService(
  database: Database,
  keys: SigningKeys,
  issuer: string,
  ttlMs = callerTtlMs,
): TokenService {
  const form = { typ: 'at+jwt', issuer, audience: `${issuer}/v2` };
  const verified = new LRUCache<string, Promise<Verified>>({ max: 20_000, ttl: ttlMs });
  // Valid tokens of clients that may no longer use them. Separate, so that they evict no others.
  const refused = new LRUCache<string, HttpError>({ max: 10_000, ttl: ttlMs });

  async function readClaims(token: string, clock?: Date): Promise<Claims> {
    const required = ['client_id', 'team_id', 'scope'];
    return toClaims(await verifyToken(keys, form, token, required, clock));
  }

  async function check(token: string, cacheKey: string): Promise<Verified> {
    let claims: Claims;
    try {
      claims = await readClaims(token);
    } catch (error) {
      throw tokenRefusal(error);
    }
    const { teamId, clientId, tokenId, scope, isOfPerson, issuedAtMs, expiresAt } = claims;
    const caller = await database.read(async (sql) => {
      const [row] = await sql<CallerRow[]>`
        select c.suspended_at is not null as is_suspended, c.tokens_valid_after, t.tier,
          (t.retention -> 'contact_reads_days')::int as contact_reads_days, c.networks,
          exists (select from revoked_tokens r where r.token_id = ${tokenId}) as is_revoked
        from clients c join teams t on t.id = c.team_id
        where c.team_id = ${teamId} and c.id = ${clientId}`;
      return row;
    });
    const validAfterMs = Date.parse(caller?.tokens_valid_after ?? '');
    if (!caller || caller.is_suspended || caller.is_revoked || issuedAtMs < validAfterMs) {
      const refusal = tokenInvalid(caller && { teamId, clientId });
      refused.set(cacheKey, refusal);
      throw refusal;
    }
    return {
      expiresAtMs: expiresAt * 1_000,
      principal: {
        tokenKind: 'partner',
        teamId,
        clientId,
        tier: caller.tier,
        contactReadsDays: caller.contact_reads_days ?? undefined,
        networks: isOfPerson ? undefined : (caller.networks ?? undefined),
        scopes: new Set(withImplied(scope.split(' ').filter(Boolean))),
      },
    };
  }

  return {
    keys,
    issue: ({ teamId, clientId, scopes, tokenId, lifetimeSeconds, isOfPerson }) =>
      signToken(keys, form, {
        client_id: clientId,
        team_id: teamId,
        token_kind: 'partner',
        scope: scopes.join(' '),
        ...(isOfPerson && { person: true }),
        subject: clientId,
        tokenId: tokenId ?? randomUUID(),
        lifetimeSeconds: Math.min(lifetimeSeconds ?? tokenLifetimeSeconds, tokenLifetimeSeconds),
        nowMs: Date.now(),
      }),
    async verify(token, address) {
      if (token.length > maxTokenBytes) throw tokenInvalid();
      const cacheKey = hash('sha256', token, 'base64');
      const refusal = refused.get(cacheKey);
      if (refusal) throw refusal;
      let pending = verified.get(cacheKey);
      if (!pending) {
        pending = check(token, cacheKey);
        verified.set(cacheKey, pending);
        // A failure is not remembered: the token may be good once the database is back.
        pending.catch(() => verified.delete(cacheKey));
      }
      const { principal, expiresAtMs } = await pending;
      if (Date.now() > expiresAtMs + 5_000) {
        throw fail('token_expired', { detail: 'The token has expired; request a new one.' });
      }
      if (principal.networks && !isInNetworks(address, principal.networks)) {
        const { teamId, clientId } = principal;
        throw fail('address_not_allowed', {
          detail: 'The client of the token may not be used from this address.',
          headers: { 'WWW-Authenticate': 'Bearer realm="onward", error="invalid_token"' },
          subject: { teamId, clientId },
        });
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
    isOfPerson: payload['person'] === true,
    issuedAtMs: issuedAtMsOf(payload),
    expiresAt: exp,
  };
}
