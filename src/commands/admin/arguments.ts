import { InvalidArgumentError } from 'commander';
import { grants, isScope, isWildcard } from '../../platform/auth/scopes.ts';
import { endpoints } from '../../app/endpoints.ts';
import { isUuid } from '../../platform/schema/fields.ts';
import { canonicalNetwork } from '../../platform/http/client-address.ts';
import { tiers } from '../../platform/http/rate-limit.ts';
import { suggest } from '../../platform/lists/suggest.ts';
import { knownScopes } from '../../team/oauth2/endpoints.ts';

/** Parsers of arguments; what they throw, commander shows with the name of the argument. */

export function parseId(text: string): string {
  if (isUuid(text)) return text.toLowerCase();
  throw new InvalidArgumentError('An id is a UUID; the `list` command shows them.');
}

export function parseTier(text: string): string {
  if (Object.hasOwn(tiers, text)) return text;
  const names = Object.keys(tiers);
  throw new InvalidArgumentError(`The tiers are ${names.join(', ')}.${suggest(text, names)}`);
}

export function parseName(text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= 120) return name;
  throw new InvalidArgumentError('A name has 1 to 120 characters.');
}

/** A line for the audit trail, which the team reads too. */
export function parseReason(text: string): string {
  const reason = text.trim();
  if (/^[^\p{C}\p{Zl}\p{Zp}]{3,200}$/u.test(reason)) return reason;
  throw new InvalidArgumentError('A reason is a line of 3 to 200 characters.');
}

export function parseSwitch(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on';
  throw new InvalidArgumentError('Say on or off.');
}

/** Seconds from 0 to 30 days. */
export function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (Number.isInteger(seconds) && seconds >= 0 && seconds <= 2_592_000) return seconds;
  throw new InvalidArgumentError('Seconds are an integer from 0 to 2592000 (30 days).');
}

export function parseLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 10_000) return limit;
  throw new InvalidArgumentError('A limit is an integer from 1 to 10000.');
}

/** All statuses from the first to the last: those of "4xx", or one alone. */
export function parseStatus(text: string): [from: number, to: number] {
  const [, kind] = /^([1-5])xx$/i.exec(text) ?? [];
  if (kind !== undefined) return [Number(kind) * 100, Number(kind) * 100 + 99];
  if (/^[1-5]\d\d$/.test(text)) return [Number(text), Number(text)];
  throw new InvalidArgumentError('A status is a number such as 404, or 4xx.');
}

const units: Readonly<Record<string, number>> = {
  ...{ s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 },
};

/** Milliseconds of "30s", "15m", "1h" or "2d". */
export function parseAge(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const { [unit]: unitMs } = units;
  if (count !== undefined && unitMs !== undefined) return Number(count) * unitMs;
  throw new InvalidArgumentError('An age is 30s, 15m, 1h or 2d.');
}

/** One network more, in its canonical form; an address alone is the network of that address. */
export function collectNetwork(text: string, before: readonly string[] = []): string[] {
  if (before.length >= 50) throw new InvalidArgumentError('A client has 50 networks at most.');
  const network = canonicalNetwork(text);
  if (network === undefined) {
    throw new InvalidArgumentError(
      'A network is such as 203.0.113.0/24, 2001:db8::/48 or 198.51.100.7.',
    );
  }
  return before.includes(network) ? [...before] : [...before, network];
}

/** One scope more; a wildcard must cover at least one that exists. */
export function collectScope(text: string, before: readonly string[] = []): string[] {
  const known = knownScopes(endpoints);
  const fits = isWildcard(text)
    ? isScope(text) && known.some((scope) => grants(text, scope))
    : known.includes(text);
  if (fits) return [...before, text];
  throw new InvalidArgumentError(
    `There is no such scope.${suggest(text, known)} \`npm run admin -- scopes list\` shows all.`,
  );
}
