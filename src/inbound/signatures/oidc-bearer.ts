import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import type { JWTPayload, JWTVerifyOptions } from 'jose';
import type { Callback, Verification, VerificationTools } from '../receiver.ts';
import { invalid, missing, toleranceSeconds } from './freshness.ts';

const issuers = ['https://accounts.google.com', 'accounts.google.com'];
const maxTokenLength = 8_192;

export interface OidcSettings {
  readonly audience?: string;
  readonly service_account_email?: string;
}

/** The token of the message bus; ours and anything else are not for this scheme to verify. */
function busToken({ headers }: Callback): string | undefined {
  const [, token = ''] = /^bearer ([\w.-]+)$/i.exec(headers['authorization'] ?? '') ?? [];
  if (token === '' || token.length > maxTokenLength) return undefined;
  try {
    return issuers.includes(decodeJwt(token).iss ?? '') ? token : undefined;
  } catch {
    return undefined;
  }
}

/** With the newest keys, if the known ones do not have the token's. */
async function verifyToken(
  token: string,
  options: JWTVerifyOptions,
  tools: VerificationTools,
): Promise<JWTPayload> {
  try {
    const keys = createLocalJWKSet(await readKeys(tools, false));
    return (await jwtVerify(token, keys, options)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
    const keys = createLocalJWKSet(await readKeys(tools, true));
    return (await jwtVerify(token, keys, options)).payload;
  }
}

async function readKeys(tools: VerificationTools, fresh: boolean) {
  const { keys } = await tools.fetchKeySet({ fresh });
  // The types of jose require `kty`, which the schema of the fetched keys leaves open.
  return { keys: keys.map((key) => ({ kty: '', ...key })) };
}

const expired: Verification = { status: 'expired', detail: 'The token has expired.' };

/**
 * Verifies an OpenID Connect token of the message bus. The token does not cover the body, and every
 * customer of the bus can get one for this audience. Therefore the e-mail of the service account
 * must match.
 */
export async function verifyOidcBearer(
  callback: Callback,
  settings: OidcSettings,
  tools: VerificationTools,
): Promise<Verification> {
  const token = busToken(callback);
  if (token === undefined) return missing;
  const { audience, service_account_email: email } = settings;
  if (email === undefined) {
    return invalid('The receiver has no service_account_email.');
  }
  const options: JWTVerifyOptions = {
    algorithms: ['RS256'],
    issuer: issuers,
    audience: audience ?? callback.url.replace(/\?.*$/s, ''),
    clockTolerance: toleranceSeconds,
    currentDate: new Date(callback.receivedAtMs),
    requiredClaims: ['iat', 'exp', 'aud'],
  };
  try {
    if (decodeProtectedHeader(token).alg !== 'RS256' || token.endsWith('.')) {
      return invalid('The token is not signed with RS256.');
    }
    // Keys are fetched only for a token that they could make valid.
    const { exp } = decodeJwt(token);
    if (typeof exp !== 'number') return invalid('The token has no time of expiry.');
    if (exp + toleranceSeconds <= callback.receivedAtMs / 1_000) return expired;
    const claims = await verifyToken(token, options, tools);
    const isEarly = (claims.iat ?? 0) > callback.receivedAtMs / 1_000 + toleranceSeconds;
    if (isEarly) return { status: 'expired', detail: 'The token is from the future.' };
    if (claims['email'] !== email || claims['email_verified'] !== true) {
      return invalid('The token is not one of the receiver’s service account.');
    }
    return { status: 'valid' };
  } catch (error) {
    if (error instanceof errors.JWTExpired) return expired;
    if (error instanceof errors.JOSEError || error instanceof TypeError)
      return invalid('The token is not valid here.');
    throw error;
  }
}
