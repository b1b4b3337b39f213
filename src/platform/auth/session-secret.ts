import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Keyring } from './keyring.ts';

// `__Host-` would forbid a path, and the path limits the cookie to one journey.
const cookieName = '__Secure-do_rs';

/** Returns 256 random bits, of which only the hash is stored. */
export function newSessionSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * The secret of the session that a widget token opens. It is the same each time: a page may show
 * its token twice at once, and whichever cookie the browser receives last is good.
 */
export function tokenSessionSecret(keyring: Keyring, tokenId: string): string {
  return keyring.digest('journey_link', `session ${tokenId}`).digest.toString('base64url');
}

export function sessionHash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Token that scripts of an admitted page must send with the cookie, which they cannot read. */
export function csrfTokenOf(secret: string): string {
  return createHash('sha256').update(`csrf ${secret}`).digest('base64url');
}

export function isCsrfToken(secret: string, given: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(csrfTokenOf(secret)));
}

/**
 * Set-Cookie of a session: limited to one journey, without access by scripts, and partitioned by
 * the embedding site (CHIPS). An age of 0 ends it.
 */
export function sessionCookie(journeyId: string, secret: string, maxAgeSeconds: number): string {
  return [
    `${cookieName}=${secret}`,
    `Path=/v2/widget/journeys/${journeyId}`,
    `Max-Age=${String(maxAgeSeconds)}`,
    'HttpOnly',
    'Secure',
    'SameSite=None',
    'Partitioned',
  ].join('; ');
}

/** The secret of the cookie; undefined where there is none, or more than one to choose from. */
export function readSessionCookie({ cookie = '' }: IncomingHttpHeaders): string | undefined {
  const found = cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${cookieName}=`))
    .map((pair) => pair.slice(cookieName.length + 1));
  const [secret, ...others] = found;
  return others.length > 0 || !/^[\w-]{43}$/.test(secret ?? '') ? undefined : secret;
}

/** Whether a request brings a session's cookie, good or not. */
export function hasSessionCookie({ cookie = '' }: IncomingHttpHeaders): boolean {
  return cookie.includes(`${cookieName}=`);
}
