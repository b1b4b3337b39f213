import type { Config } from '../platform/config.ts';
import { toTimestamp } from '../platform/time/rules.ts';

const dayMs = 86_400_000;
/** Well below the year that RFC 9116 §2.5.5 recommends at most. */
const validDays = 90;

/** `/.well-known/security.txt` (RFC 9116); undefined where the operator names no contact. */
export function securityText(
  { securityContact, publicBaseUrl }: Pick<Config, 'securityContact' | 'publicBaseUrl'>,
  now: number,
): string | undefined {
  if (securityContact === undefined) return undefined;
  // Whole days, so that every process gives the same text.
  const expires = toTimestamp((Math.floor(now / dayMs) + validDays) * dayMs);
  return [
    `Contact: ${securityContact}`,
    `Expires: ${expires}`,
    'Preferred-Languages: en',
    `Canonical: ${publicBaseUrl}/.well-known/security.txt`,
    '',
  ].join('\n');
}
