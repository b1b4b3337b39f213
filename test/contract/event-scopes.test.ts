import { expect, test } from '@jest/globals';
import type { TSchema } from 'typebox';
import { endpoints } from '../../src/app/endpoints.ts';
import { eventTypes } from '../../src/app/event-catalog.ts';
import { readScopeOf } from '../../src/webhooks/read-scopes.ts';
import type { Endpoint } from '../../src/platform/http/endpoint.ts';

/** The property of an object schema; undefined where there is none. */
function at(schema: unknown, ...path: readonly string[]): unknown {
  let found = schema;
  for (const name of path) {
    found = typeof found === 'object' && found !== null ? Reflect.get(found, name) : undefined;
  }
  return found;
}
const typeOf = (schema: TSchema | undefined) => at(schema, 'properties', 'type', 'const');

/** The types of resources that an endpoint shows, alone or in a list. */
const shownBy = ({ response }: Endpoint) => [
  typeOf(response),
  at(response, 'properties', 'data', 'items', 'properties', 'type', 'const'),
];

test.each(Object.entries(eventTypes))(
  'the data of %s needs the scope that reads its resource',
  (name, { data }) => {
    const scope = readScopeOf(name);
    const readers = endpoints.filter(
      (endpoint) => endpoint.method === 'GET' && endpoint.scope === scope,
    );
    expect(readers.flatMap(shownBy)).toContain(typeOf(data));
  },
);
