import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { endpoints } from '../../src/app/endpoints.ts';
import { openApiDocument } from '../../src/meta/openapi.ts';
import { isForRecipients, isScoped } from '../../src/platform/http/endpoint.ts';
import type { Endpoint } from '../../src/platform/http/endpoint.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { Reply, TestTeam } from '../support/api.ts';
import { verdictOf } from './answers.ts';
import { scopedEndpoints } from './scoped.ts';
import { paramsOf, pathOf } from './samples.ts';

const api = useTestApi();
let team: TestTeam;
let reply: Reply;

beforeAll(async () => {
  team = await api.newTeam();
  reply = await api.call('GET', '/v2/meta/openapi.json');
});

test('the document is public, valid OpenAPI 3.1, and every reference in it resolves', async () => {
  expect(verdictOf(reply)).toBe('200');
  expect(reply.headers.get('access-control-allow-origin')).toBe('*');
  expect(reply.body.openapi).toBe('3.1.0');
  const validator = new Validator();
  const { valid, errors } = await validator.validate(reply.body);
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  const references = JSON.stringify(reply.body).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
  for (const [, name = ''] of references)
    expect(reply.body.components.schemas).toHaveProperty([name]);
});

test('the document contains exactly the endpoints of the service, with their scopes', () => {
  const shown: string[] = [];
  const paths: Record<string, Record<string, { operationId: string; security: object[] }>> = reply
    .body.paths;
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { operationId, security }] of Object.entries(operations)) {
      shown.push([method.toUpperCase(), path, operationId, JSON.stringify(security)].join(' '));
    }
  }
  const declared = endpoints.map((endpoint) => {
    const { method, path, id } = endpoint;
    return [method, path, id, JSON.stringify(securityOf(endpoint))].join(' ');
  });
  expect(shown.sort()).toEqual(declared.sort());
});

function securityOf(endpoint: Endpoint): object[] {
  const { scope, opensSession } = endpoint;
  if (isForRecipients(endpoint)) {
    return [{ widget_token: [] }, opensSession ? {} : { recipient_session: [] }];
  }
  if (scope === 'signed') return [{}, { oauth2: ['partner:incoming-webhooks:write'] }];
  return isScoped(scope) ? [{ oauth2: [scope] }] : [];
}

interface Parameter {
  name: string;
  in: string;
  schema: Listed & { type?: string; items?: Listed; format?: string };
}

interface Listed {
  enum?: string[];
  anyOf?: Listed[];
}

const listedBy = ({ enum: values = [], anyOf = [] }: Listed): string[] => [
  ...values,
  ...anyOf.flatMap(listedBy),
];

function parametersOf({ path, method }: Endpoint): Parameter[] {
  return reply.body.paths[path][method.toLowerCase()].parameters;
}

describe('a list supports its documented parameters', () => {
  const lists = scopedEndpoints.filter(([, { list }]) => list !== undefined);

  test.each(lists)('%s accepts every documented parameter', async (_, endpoint) => {
    const path = pathOf(endpoint, await paramsOf(team, endpoint));
    const parameters = parametersOf(endpoint).filter((parameter) => parameter.in === 'query');
    const names = parameters.map(({ name }) => name);
    for (const name of ['sort', 'page[size]', 'page[after]', 'page[before]', 'meta']) {
      expect(names).toContain(name);
    }
    for (const { name, schema } of parameters) {
      if (name.startsWith('page[') || name === 'filter') continue;
      const listed = [...listedBy(schema), ...listedBy(schema.items ?? {})];
      for (const value of listed.length > 0 ? listed : [exampleOf(schema)]) {
        const query = new URLSearchParams([[name, value]]);
        const answer = await team.get(`${path}?${query.toString()}`);
        expect(`${name}=${value}: ${verdictOf(answer)}`).toBe(`${name}=${value}: 200`);
      }
    }
  });

  function exampleOf({ type, format, items }: Parameter['schema'] & { items?: object }): string {
    if (items !== undefined) return exampleOf(items);
    if (format === 'uuid') return '4be0643f-1d98-4f7d-a7b1-4a2a0b1f3c5d';
    if (format === 'date-time') return '2026-01-31T09:30:00.000Z';
    if (format === 'date') return '2026-01-31';
    return type === 'integer' ? '1' : type === 'boolean' ? 'true' : 'text';
  }
});

test('the committed document matches the endpoints', () => {
  const committed = JSON.parse(readFileSync(new URL('openapi.json', import.meta.url), 'utf8'));
  const document = openApiDocument(endpoints, String(committed.servers[0].url));
  const current: unknown = JSON.parse(JSON.stringify(document));
  try {
    expect(current).toEqual(committed);
  } catch (error) {
    const hint =
      'The interface has changed. If that is meant, run `npm run generate -- openapi` and commit ' +
      'test/contract/openapi.json with the change.';
    throw new Error(`${hint}\n\n${String(error)}`, { cause: error });
  }
});
