import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Check, Errors } from 'typebox/schema';
import { writeCollection } from '../../sdk/generate/collection/collection.ts';
import { readDocument, readOperations } from '../../sdk/generate/document.ts';

interface Folder {
  name: string;
  item: { name: string; request: { method: string; url: { raw: string; path: string[] } } }[];
}

const schema = JSON.parse(readFileSync(new URL('collection.schema.json', import.meta.url), 'utf8'));
const document = readDocument();
const collection: { item: Folder[]; variable: { key: string }[] } = JSON.parse(
  writeCollection(document),
);

test('the collection is one by the schema of Postman', () => {
  expect(Errors(schema, collection)[1].slice(0, 3)).toEqual([]);
  expect(Check(schema, collection)).toBe(true);
  // The schema refuses what is none.
  expect(Check(schema, { ...collection, item: [{ request: { method: 1 } }] })).toBe(false);
});

test('each operation is one request in the folder of its tag', () => {
  const sent = collection.item.flatMap(({ name, item }) =>
    item.map(({ request: { method, url } }) => `${name} ${method} ${url.path.join('/')}`),
  );
  const known = readOperations(document).map(
    ({ tag, verb, path }) => `${tag} ${verb} ${path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1')}`,
  );
  expect(sent.toSorted()).toEqual(known.toSorted());
});

test('every variable that a request names is one of the collection', () => {
  const named = JSON.stringify(collection.item).matchAll(/\{\{(\w+)\}\}/g);
  const names = new Set(Array.from(named, ([, name]) => name));
  const keys = collection.variable.map(({ key }) => key);
  expect([...names].filter((name) => !keys.includes(String(name)))).toEqual([]);
  expect(keys).toEqual(expect.arrayContaining(['base_url', 'client_id', 'client_secret', 'token']));
});
