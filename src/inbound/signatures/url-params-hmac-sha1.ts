import { createHash, createHmac } from 'node:crypto';
import { parse, stringify } from 'node:querystring';
import { isForm } from '../receiver.ts';
import type { Callback, Verification } from '../receiver.ts';
import { invalid, missing } from './freshness.ts';
import { isSameText } from './same-text.ts';
import { parseUrl } from '../../platform/schema/rules.ts';

export const urlParamsHeader = 'x-twilio-signature';

/** Providers send some thirty; a form with more is not one of theirs. */
const maxParams = 200;

/** By name, each parameter with its distinct values. */
function paramsText(form: URLSearchParams | undefined): string {
  const valuesOf = new Map<string, Set<string>>();
  for (const [name, value] of form ?? []) {
    const values = valuesOf.get(name);
    if (values) values.add(value);
    else valuesOf.set(name, new Set([value]));
  }
  return [...valuesOf.keys()]
    .sort()
    .flatMap((name) => [...(valuesOf.get(name) ?? [])].sort().map((value) => name + value))
    .join('');
}

const hmacOf = (authToken: string, url: string, params: string) =>
  createHmac('sha1', authToken).update(url).update(params).digest('base64');

/** Base64 HMAC-SHA1 over the address and, by name, each parameter with its distinct values. */
export function urlParamsHmac(authToken: string, url: string, form?: URLSearchParams): string {
  return hmacOf(authToken, url, paramsText(form));
}

/** Parameters of the service in the order in which it gave them to the provider before it sorted. */
const unsortedNames = ['do_message_id', 'do_contact_id', 'do_journey_id'];

/**
 * As sent, as parsers write it, as an older module of the provider's encoded queries, with the lone
 * question mark that clients leave out, and unsorted, since the provider may sort after it signs.
 */
function restsOf(address: string): Set<string> {
  const { pathname, search, searchParams, href, protocol } = new URL(address);
  const restOf = (text: string) => text.slice(text.indexOf('/', protocol.length + 2));
  const sent = restOf(address);
  const rests = new Set([sent, sent.replaceAll('%27', "'"), restOf(href)]);
  if (search === '') return rests.add(`${pathname}?`);
  rests.add(`${pathname}?${stringify(parse(search.slice(1)))}`);
  const unsorted = unsortedNames.filter((name) => searchParams.has(name));
  if (unsorted.length === searchParams.size) {
    const pairs = unsorted.map((name) => `${name}=${searchParams.get(name) ?? ''}`);
    rests.add(`${pathname}?${pairs.join('&')}`);
  }
  return rests;
}

/** The spellings of one address that the provider is known to sign, with and without its port. */
function spellings(address: string): string[] {
  const url = parseUrl(address);
  if (!url) return [];
  const { protocol, hostname, port, host } = url;
  const bare = `${protocol}//${hostname}`;
  const standard = `${bare}:${protocol === 'https:' ? 443 : 80}`;
  const origins = new Set([`${protocol}//${host}`, bare, port === '' ? standard : bare]);
  return [...origins].flatMap((origin) => [...restsOf(address)].map((rest) => origin + rest));
}

/** A body that is no form is named in the address by its hash. */
function hasNamedHash({ url, bytes }: Callback): boolean {
  const named = parseUrl(url)?.searchParams.get('bodySHA256') ?? null;
  return named !== null && isSameText(named, createHash('sha256').update(bytes).digest('hex'));
}

/**
 * Verifies an HMAC over the address as configured at the provider, and the fields of the form.
 * There is no timestamp: an old callback is recognized by its dedup key only.
 */
export function verifyUrlParams(
  callback: Callback,
  settings: { readonly auth_token?: string },
): Verification {
  const { headers, url, form } = callback;
  const signature = headers[urlParamsHeader];
  if (signature === undefined) return missing;
  const { auth_token: authToken } = settings;
  if (!authToken) return invalid('The receiver has no auth_token.');
  // The fields of a far longer form were not read.
  const isTooLong = form ? form.size > maxParams : isForm(headers['content-type']);
  if (isTooLong) {
    return invalid(`The form has more than ${String(maxParams)} parameters.`);
  }
  const params = paramsText(form);
  const isGood = spellings(url).some((spelling) =>
    isSameText(signature, hmacOf(authToken, spelling, params)),
  );
  if (!isGood) return invalid('The signature does not match address and parameters.');
  if (form === undefined && !hasNamedHash(callback)) {
    return invalid('The body is not the one that the address names by its hash.');
  }
  return { status: 'valid' };
}
