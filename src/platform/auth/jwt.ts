import { SignJWT, errors, jwtVerify } from 'jose';
import type { JWTPayload } from 'jose';
import { fail } from '../http/errors.ts';
import type { Subject } from '../http/errors.ts';
import { signingAlgorithm } from './signing-keys.ts';
import type { SigningKeys } from './signing-keys.ts';

/** Lifetime of a partner token and of a widget token, in seconds (interface document). */
export const tokenLifetimeSeconds = 3_600;
/** Longer tokens are not parsed. */
export const maxTokenBytes = 8_192;

/** Time of issue in whole milliseconds since 1970; `iat` is the same in whole seconds. */
const millisecondsClaim = 'iat_ms';

/** By how much the clock of who signs may be ahead of that of who reads, in seconds. */
const aheadSeconds = 30;

/** Distinguishes the kinds of tokens, so that none passes for another. RFC 8725 §3.11. */
export interface TokenForm {
  typ: string;
  issuer: string;
  audience: string;
}

/**
 * Signs claims with the current key. `iat` and `exp` are whole seconds, since strict libraries
 * reject others. The milliseconds are a claim of their own: a revocation by time stays exact within
 * a second.
 */
export async function signToken(
  keys: SigningKeys,
  { typ, issuer, audience }: TokenForm,
  {
    subject,
    tokenId,
    nowMs,
    lifetimeSeconds = tokenLifetimeSeconds,
    ...claims
  }: JWTPayload & SignedBy,
): Promise<string> {
  const key = await keys.current();
  const issuedAt = Math.floor(nowMs / 1_000);
  return new SignJWT({ ...claims, [millisecondsClaim]: nowMs })
    .setProtectedHeader({ alg: signingAlgorithm, typ, kid: key.id })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(subject)
    .setJti(tokenId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeSeconds)
    .sign(key.privateKey);
}

interface SignedBy {
  subject: string;
  tokenId: string;
  nowMs: number;
  lifetimeSeconds?: number;
}

/**
 * Time of issue in milliseconds since 1970. Where the exact claim is missing, or is not within the
 * second of `iat`, the start of that second counts, so that doubt ends a token.
 */
export function issuedAtMsOf({ iat = 0, [millisecondsClaim]: exact }: JWTPayload): number {
  const isExact = typeof exact === 'number' && Math.floor(exact / 1_000) === iat;
  return isExact ? exact : iat * 1_000;
}

/** Verifies a token of this form, and returns its claims. Throws the errors of jose. */
export async function verifyToken(
  keys: SigningKeys,
  { typ, issuer, audience }: TokenForm,
  token: string,
  requiredClaims: readonly string[],
  clock?: Date,
): Promise<JWTPayload> {
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
      typ,
      issuer,
      audience,
      clockTolerance: 5,
      requiredClaims: ['sub', 'jti', 'iat', 'exp', ...requiredClaims],
      ...(clock && { currentDate: clock }),
    },
  );
  // A token of this service is never issued in the future: that would extend its lifetime.
  const { iat = 0 } = payload;
  if (!clock && iat > Date.now() / 1_000 + aheadSeconds) {
    throw new errors.JWTClaimValidationFailed('iat lies ahead', payload, 'iat', 'check_failed');
  }
  return payload;
}

/** The refusal of a token that did not verify; what is no fault of the token is thrown on. */
export function tokenRefusal(error: unknown) {
  if (error instanceof errors.JWTExpired) {
    return fail('token_expired', { detail: 'The token has expired; request a new one.' });
  }
  if (error instanceof errors.JOSEError) return tokenInvalid();
  throw error;
}

/** The subject is set if the service has signed the token. */
export function tokenInvalid(subject?: Subject) {
  return fail('token_invalid', {
    detail: 'The token is invalid or was revoked.',
    ...(subject && { subject }),
  });
}
