import { beforeAll, expect, test } from '@jest/globals';
import { eventTypes } from '../../src/app/event-catalog.ts';
import { errorCatalog } from '../../src/platform/http/error-catalog.ts';
import { shapeChecker } from '../../src/platform/http/validate.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';

const api = useTestApi();
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
});

interface ErrorCode {
  code: string;
  status: number;
  title: string;
  docs_url: string;
}

test('every error code is listed, and its docs_url leads to a page that names it', async () => {
  const { status, body } = await team.get('/v2/meta/error-codes');
  expect(status).toBe(200);
  const codes: ErrorCode[] = body.data;
  expect(codes.map(({ code }) => code)).toEqual(Object.keys(errorCatalog));
  expect(codes).toContainEqual(
    expect.objectContaining({ code: 'not_found', status: 404, remedy: expect.any(String) }),
  );
  for (const { code, docs_url } of codes) {
    const page = await api.call('GET', docs_url.replace(api.config.publicBaseUrl, ''));
    expect(`${code}: ${String(page.status)}`).toBe(`${code}: 200`);
    expect(page.body).toContain(`<code>${code}</code>`);
  }
});

test('the docs_url of an error is the one of the list', async () => {
  const refused = await team.get('/v2/partner/contacts?sort=nonsense');
  const { body } = await team.get('/v2/meta/error-codes');
  const [error] = refused.body.errors;
  const listed = body.data.find(({ code }: ErrorCode) => code === error.code);
  expect(listed).toMatchObject({ title: error.title, docs_url: error.meta.docs_url, status: 400 });
});

test('every event type is listed, and its example is what its schema admits', async () => {
  const { status, body } = await team.get('/v2/meta/event-types');
  expect(status).toBe(200);
  const shown: { name: string; example: { type: string; data: unknown } }[] = body.data;
  expect(shown.map(({ name }) => name)).toEqual(Object.keys(eventTypes));
  for (const [name, { schema, data }] of Object.entries(eventTypes)) {
    const example = shown.find((type) => type.name === name)?.example;
    expect([name, shapeChecker(schema)(example)]).toEqual([name, []]);
    expect([name, shapeChecker(data)(example?.data)]).toEqual([name, []]);
    expect(example?.type).toBe(name.replace('custom.*', 'custom.order_placed'));
  }
});

test('an example shows every field of the resource, and the previous values of an update event', async () => {
  const { body } = await team.get('/v2/meta/event-types');
  const type = body.data.find(({ name }: { name: string }) => name === 'contact.updated');
  expect(Object.keys(type.example.data)).toEqual(Object.keys(type.data_schema.properties));
  expect(type.example.previous).toEqual({ unique_id: null });
});
