import fc from 'fast-check';
import { hostileText } from './hostile-texts.ts';

/** Headers that the service reads, filled up to the limit of Node. */
const names = [
  ...['authorization', 'accept', 'if-match', 'if-none-match', 'idempotency-key', 'cookie'],
  ...['x-request-id', 'x-csrf-token', 'origin', 'content-type', 'user-agent', 'x-forwarded-for'],
  ...['accept-language', 'accept-encoding', 'prefer', 'te', 'range', 'sec-fetch-site'],
];
const listed = [
  ...['"1",', 'W/"1", ', 'a/b;q=0.5,', 'application/json;q=0.1;a=b,', '*/*,', ',', ';', ';a=b'],
  ...['a=b; ', '__Secure-do_rs=x; ', 'Bearer ', 'a.', '"', '\\', '1.1.1.1,', '[::1],', 'q'],
];

export interface HostileHeaders {
  name: string;
  headers: Record<string, string>;
}

/** A header as long as Node admits, next to those of the request. */
export const hostileHeaders = fc
  .tuple(fc.constantFrom(...names), fc.constantFrom(...listed), fc.constantFrom(500, 12_000))
  .map(([name, unit, length]): HostileHeaders => {
    const value = unit.repeat(Math.floor(length / unit.length)).trim();
    return { name: `${name}: ${unit}… (${String(length)})`, headers: { [name]: value } };
  });

const maxQuery = 12_000;

/** A query string about as long as Node admits, of the names that an endpoint knows and of others. */
export function hostileQuery(known: readonly string[]): fc.Arbitrary<string> {
  const parameter = fc.constantFrom(
    ...known,
    'filter[id][in]',
    'sort',
    'include',
    'page[after]',
    'x',
  );
  const repeated = fc
    .tuple(parameter, hostileText, fc.constantFrom(1, 20, 1_000))
    .map(([name, text, times]) => {
      const value = encodeURIComponent(
        text.make(Math.max(1, Math.floor(maxQuery / times))).toWellFormed(),
      );
      const pair = `${encodeURIComponent(name)}=${value}`.slice(0, Math.max(20, maxQuery / times));
      return whole(Array.from({ length: times }, () => pair).join('&'));
    });
  const lists = fc
    .tuple(
      parameter,
      fc.constantFrom('a,', '-a,', 'inserted_at,', '-inserted_at,', 'a.b,', '\\,', ',,'),
    )
    .map(([name, unit]) =>
      whole(
        `${encodeURIComponent(name)}=${encodeURIComponent(unit).repeat(Math.floor(maxQuery / 8))}`,
      ),
    );
  const nested = fc
    .constantFrom(
      'filter[',
      'filter[a]',
      'filter[a][',
      'page[',
      '%5B',
      'a[]=1&',
      '&',
      '=',
      '%',
      '+',
    )
    .map((unit) => whole(unit.repeat(Math.floor(maxQuery / unit.length))));
  return fc.oneof(repeated, lists, nested);
}

/** No escape is cut in two. */
const whole = (query: string) => query.slice(0, maxQuery).replace(/%.?$/, '');
