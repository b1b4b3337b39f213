import { describe, expect, test } from '@jest/globals';
import { Compile } from 'typebox/compile';
import { endpoints } from '../../src/app/endpoints.ts';
import { errorsOf } from '../../src/platform/http/declared-errors.ts';
import { errorCatalog } from '../../src/platform/http/error-catalog.ts';
import type { Endpoint } from '../../src/platform/http/endpoint.ts';
import { openApiDocument } from '../../src/meta/openapi.ts';
import { tags } from '../../src/meta/openapi/tags.ts';

const document: unknown = JSON.parse(
  JSON.stringify(openApiDocument(endpoints, 'https://api.example.com')),
);
const all = endpoints.map((endpoint) => [endpoint.id, endpoint] as const);

/** The value at a path of keys, through references. */
function at(value: unknown, ...keys: readonly string[]): unknown {
  const target = resolve(value);
  const [key, ...rest] = keys;
  if (key === undefined) return target;
  if (typeof target !== 'object' || target === null) return undefined;
  return at(Reflect.get(target, key), ...rest);
}

function resolve(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return value;
  return at(document, ...String(value.$ref).replace('#/', '').split('/'));
}

const operationOf = ({ path, method }: Endpoint) =>
  at(document, 'paths', path, method.toLowerCase());
const keysOf = (value: unknown) =>
  typeof value === 'object' && value !== null ? Object.keys(value) : [];
const exampleAt = (media: unknown) =>
  at(media, 'examples', 'example', 'value') ?? at(media, 'examples', 'normalized', 'value');

test.each(all)('%s has a tag that the document explains', (_, { tag }) => {
  expect(tags.map(({ name }) => name)).toContain(tag);
});

describe('examples fit their schemas', () => {
  const bodies = all.filter(([, { body }]) => body !== undefined);
  test.each(bodies)('the body of %s', (_, endpoint) => {
    const media =
      endpoint.bodyKind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
    const example = exampleAt(at(operationOf(endpoint), 'requestBody', 'content', media));
    expect(faultsOf(endpoint.body, example)).toEqual([]);
  });

  const answers = all.filter(([, { response }]) => response !== undefined);
  test.each(answers)('the answer of %s', (_, endpoint) => {
    const { status, response } = endpoint;
    const content = at(operationOf(endpoint), 'responses', String(status), 'content');
    expect(faultsOf(response, exampleAt(at(content, 'application/json')))).toEqual([]);
  });

  function faultsOf(schema: Endpoint['body'], example: unknown): string[] {
    expect(example).toBeDefined();
    const errors = schema ? Compile(schema).Errors(example) : [];
    return errors.map(({ instancePath, message }) => `${instancePath} ${message}`);
  }
});

test.each(all)('%s names each code that it may answer, under its status', (_, endpoint) => {
  for (const code of errorsOf(endpoint)) {
    const response = at(operationOf(endpoint), 'responses', String(errorCatalog[code][0]));
    expect(at(response, 'description')).toContain(`\`${code}\``);
    const examples = at(response, 'content', 'application/json', 'examples');
    expect(at(examples, code, 'value', 'errors', '0', 'code')).toBe(code);
  }
});

test('each schema, example, response and header of the document is used', () => {
  const text = JSON.stringify(document);
  for (const kind of ['schemas', 'examples', 'responses', 'headers']) {
    for (const name of keysOf(at(document, 'components', kind))) {
      expect(text).toContain(`"#/components/${kind}/${name}"`);
    }
  }
});
