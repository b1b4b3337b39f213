import { hash } from 'node:crypto';
import { SignJWT, errors, jwtVerify } from 'jose';
import type { Callback, Verification } from '../receiver.ts';
import { invalid, checkAge, missing } from './freshness.ts';
import { isSameText } from './same-text.ts';

const maxTokenLength = 4_096;

const keyOf = (secret: string) => new TextEncoder().encode(secret);
const digestOf = (bytes: Buffer | string) => hash('sha256', bytes);

function tokenOf({ headers }: Callback): string | undefined {
  const [, token = ''] = /^bearer ([\w.-]+)$/i.exec(headers['authorization'] ?? '') ?? [];
  return token === '' || token.length > maxTokenLength ? undefined : token;
}

/** A token over the bytes of a body, as the provider makes it. */
export function signJwt(secret: string, body: string, id: string, nowMs: number): Promise<string> {
  return new SignJWT({ payload_hash: digestOf(body) })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt(Math.floor(nowMs / 1_000))
    .setJti(id)
    .setIssuer('Vonage')
    .sign(keyOf(secret));
}

/**
 * Verifies a token (HS256) that is signed with a shared secret and names the SHA-256 of the body. One
 * without that name proves nothing about the body, and is refused.
 */
export async function verifySignedJwt(
  callback: Callback,
  settings: { readonly signature_secret?: string; readonly max_age_seconds?: number },
): Promise<Verification> {
  const token = tokenOf(callback);
  if (token === undefined) return missing;
  if (!settings.signature_secret) return invalid('The receiver has no signature_secret.');
  try {
    const { payload } = await jwtVerify(token, keyOf(settings.signature_secret), {
      algorithms: ['HS256'],
      currentDate: new Date(callback.receivedAtMs),
      requiredClaims: ['iat', 'payload_hash'],
    });
    const { iat = 0, payload_hash } = payload;
    const isOfBody =
      typeof payload_hash === 'string' &&
      isSameText(payload_hash.toLowerCase(), digestOf(callback.bytes));
    if (!isOfBody) return invalid('The token is not about the bytes of the body.');
    return checkAge(iat, callback.receivedAtMs, settings.max_age_seconds);
  } catch (error) {
    if (error instanceof errors.JWTExpired) {
      return { status: 'expired', detail: 'The token has expired.' };
    }
    if (error instanceof errors.JOSEError) return invalid('The token is not valid here.');
    throw error;
  }
}
