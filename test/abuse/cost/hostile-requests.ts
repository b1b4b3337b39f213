import fc from 'fast-check';
import type { Endpoint } from '../../../src/platform/http/endpoint.ts';
import { bodySchema } from '../../contract/json-schema.ts';
import type { Json, Node } from '../../contract/json-schema.ts';
import { hostileHeaders, hostileQuery } from './hostile-heads.ts';
import { bodyWith, hostileJson, placesOf } from './hostile-json.ts';
import { hostileText } from './hostile-texts.ts';
import type { HostileRequest } from './judge.ts';

const defaultLimit = 1_000_000;

/** A request that an endpoint accepts. */
export interface GoodRequest {
  path: string;
  headers: Record<string, string>;
  body: Json | undefined;
}

/** Requests that differ in one part from an accepted request. */
export function hostileRequests(
  endpoint: Endpoint,
  { path, headers, body }: GoodRequest,
): fc.Arbitrary<HostileRequest> {
  const { method, list, query, bodyLimitBytes = defaultLimit } = endpoint;
  const asJson = { ...headers, 'Content-Type': 'application/json' };
  const good = {
    ...{ method, path, headers: body === undefined ? headers : asJson },
    ...(body !== undefined && { raw: JSON.stringify(body) }),
  };
  const known = [
    ...(list?.parameters.map(({ name }) => name) ?? []),
    ...Object.keys(query?.properties ?? {}),
  ];
  const heads = hostileHeaders.map(({ name, headers: further }) => ({
    ...good,
    ...{ name, headers: { ...good.headers, ...further } },
  }));
  const queries = hostileQuery(known).map((text) => ({
    ...good,
    ...{ name: `query ${text.slice(0, 100)}…`, path: `${path}?${text}` },
  }));
  const schema = bodySchema(endpoint);
  if (method === 'GET' || !schema) return fc.oneof(heads, queries);
  const bodies = hostileBodies(schema, body, bodyLimitBytes).map(({ name, raw }) => ({
    ...{ name, method, path, headers: asJson, raw },
  }));
  return fc.oneof({ weight: 6, arbitrary: bodies }, heads, queries);
}

/** Bodies that differ in one position from a valid one, about as large as they may be. */
export function hostileBodies(schema: Node, good: Json | undefined, limitBytes: number) {
  const places = placesOf(schema);
  return fc
    .tuple(fc.constantFrom(...places), hostileJson, fc.constantFrom(1, 1, 0.3))
    .map(([place, { name, make }, share]) => ({
      name: `${place.path.join('.') || 'the body'}: ${name}`,
      raw: bodyWith(good, place, (room) => make(room, place.schema), limitBytes * share),
    }));
}

/** Forms of these fields, and of others, as large as they may be. */
export function hostileForms(names: readonly string[], limitBytes: number) {
  const fields = fc.constantFrom(...names, 'x', '', '__proto__');
  const longValue = fc.tuple(fields, hostileText).map(([name, text]) => {
    const value = encodeURIComponent(text.make(limitBytes).toWellFormed());
    return `${encodeURIComponent(name)}=${value}`;
  });
  const manyPairs = fc
    .tuple(fields, fc.constantFrom('same', 'counted'), fc.constantFrom('', 'a', '%41', '%', '+'))
    .map(([name, kind, value]) => {
      const pairs: string[] = [];
      for (let at = 0, length = 0; length < limitBytes; at += 1) {
        const pair = `${encodeURIComponent(name)}${kind === 'same' ? '' : String(at)}=${value}`;
        pairs.push(pair);
        length += pair.length + 1;
      }
      return pairs.join('&');
    });
  const separators = fc.constantFrom('&', '=', '%', '+', '&=').map((one) => one.repeat(limitBytes));
  return fc.oneof(longValue, manyPairs, separators).map((text) => {
    const raw = text.slice(0, limitBytes);
    return { name: `form ${raw.slice(0, 60)}…`, raw };
  });
}
