import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { codesOf, verdictOf } from './answers.ts';
import { countCells } from './cells.ts';
import { bodySchema, fieldsOf, wrongValueOf } from './json-schema.ts';
import { sampleOf } from './samples.ts';
import { writeEndpoints } from './scoped.ts';

let api: TestApi;
let team: TestTeam;
const cells = countCells('bodies');

beforeAll(async () => {
  api = await startTestApi();
  team = await api.newTeam();
});
afterAll(async () => {
  await api.stop();
  cells.report();
});

const json = { 'Content-Type': 'application/json' };

describe('every endpoint with a body', () => {
  test.each(writeEndpoints)('%s names every problem of a body', async (id, endpoint) => {
    const { path, body } = await sampleOf(team, endpoint);
    const send = (content: unknown) => team.call(endpoint.method, path, { body: content });
    const { writable, required, ignored } = fieldsOf(endpoint);

    await cells.cell(`${id}: unknown field`, async () => {
      const reply = await send({ ...body, 'no/such~field': 1, __proto__x: 2 });
      expect(verdictOf(reply)).toBe('422 validation_failed');
      const rules = reply.body.errors.map(
        ({ meta }: { meta: { pointer: string; rule: string } }) => `${meta.rule} ${meta.pointer}`,
      );
      expect(rules.sort()).toEqual(['unknown_field /__proto__x', 'unknown_field /no~1such~0field']);
    });
    await cells.cell(`${id}: required fields`, async () => {
      if (required.length === 0) return;
      const reply = await send({});
      expect(verdictOf(reply)).toBe('422 validation_failed');
      expect(pointersOf(reply.body)).toEqual(required.map((name) => `/${name}`).sort());
    });
    await cells.cell(`${id}: wrong types, all at once`, async () => {
      const wrong = writable.flatMap(([name, schema]) => {
        const value = wrongValueOf(schema);
        return value === undefined ? [] : [[name, value] as const];
      });
      const reply = await send({ ...Object.fromEntries(wrong), unknown: true });
      expect(reply.status).toBe(422);
      const pointers = new Set(pointersOf(reply.body));
      for (const name of ['unknown', ...wrong.map(([field]) => field)]) {
        expect([...pointers].some((pointer) => pointer.startsWith(`/${name}`))).toBe(true);
      }
    });
    for (const content of [[], null]) {
      await cells.cell(`${id}: ${JSON.stringify(content)} for a body`, async () => {
        expect(verdictOf(await send(content))).toBe('422 validation_failed');
      });
    }
    await cells.cell(`${id}: another type`, async () => {
      if (!bodySchema(endpoint)?.properties?.['type']) return;
      const reply = await send({ ...body, type: 'gizmo' });
      expect(verdictOf(reply)).toBe('422 validation_failed');
      expect(pointersOf(reply.body)).toEqual(['/type']);
    });
    await cells.cell(`${id}: fields of the server are ignored, whatever they hold`, async () => {
      if (ignored.length === 0) return;
      const garbage = [randomUUID(), 7, 'x', null, { a: 1 }, ['x'], true, '2001-01-01T00:00:00Z'];
      const noise = ignored.map((name, at) => [name, garbage[at % garbage.length]] as const);
      const reply = await send({ ...body, ...Object.fromEntries(noise) });
      expect(verdictOf(reply)).toBe(String(endpoint.status));
      expect(reply.body.team_id).toBe(team.id);
      for (const [name, value] of noise) {
        if (value !== null) expect(reply.body[name]).not.toEqual(value);
      }
    });
    cells.settle();
  });
});

test('a body that is not an object is refused as a whole', async () => {
  for (const content of ['text', 7, true, [{}]]) {
    const reply = await team.post('/v2/partner/contacts', content);
    expect(verdictOf(reply)).toBe('422 validation_failed');
    expect(pointersOf(reply.body)).toEqual(['']);
  }
});

describe('every endpoint that writes validates in the documented order', () => {
  test.each(writeEndpoints)('%s', async (id, endpoint) => {
    const { path, body } = await sampleOf(team, endpoint);
    const { method } = endpoint;
    const unknownPath = path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, () => randomUUID());
    const malformedPath = path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'x');
    const hasIds = unknownPath !== path;
    const expectVerdict = (name: string, at: string, verdict: string, options: object) =>
      cells.cell(`${id}: ${name}`, async () => {
        expect(verdictOf(await team.call(method, at, options))).toBe(verdict);
      });
    const tooMuch = new Uint8Array((endpoint.bodyLimitBytes ?? 1_000_000) + 1).fill(0x20);
    const text = { 'Content-Type': 'text/plain' };

    await cells.cell(`${id}: no token before all the rest`, async () => {
      const options = { raw: '{broken', headers: { ...text, 'Idempotency-Key': 'ä b' } };
      const reply = await api.call(method, `${malformedPath}?x=1`, options);
      expect(verdictOf(reply)).toBe('401 token_missing');
    });
    await expectVerdict(
      'media type before ids and JSON',
      unknownPath,
      '415 unsupported_media_type',
      {
        raw: '{broken',
        headers: text,
      },
    );
    await expectVerdict('compressed', unknownPath, '415 unsupported_media_type', {
      raw: '{broken',
      headers: { ...json, 'Content-Encoding': 'gzip' },
    });
    await expectVerdict('size before ids and JSON', unknownPath, '413 payload_too_large', {
      raw: tooMuch,
      headers: json,
    });
    for (const raw of ['{broken', '{"a":1,"a":2}']) {
      await expectVerdict(`JSON before ids: ${raw}`, unknownPath, '400 invalid_json', { raw });
    }
    if (hasIds) {
      await expectVerdict('malformed ids before the schema', malformedPath, '404 not_found', {
        body: { no_such_field: 1 },
      });
      await expectVerdict('malformed ids before a bad key', malformedPath, '404 not_found', {
        body,
        headers: { 'Idempotency-Key': 'two words' },
      });
      await expectVerdict('the schema before unknown ids', unknownPath, '422 validation_failed', {
        body: { no_such_field: 1 },
      });
      await expectVerdict(
        'a bad key before unknown ids',
        unknownPath,
        '400 idempotency_key_invalid',
        {
          body,
          headers: { 'Idempotency-Key': 'two words' },
        },
      );
      await expectVerdict('unknown ids before preconditions', unknownPath, '404 not_found', {
        body,
        headers: { 'If-Match': '"999"' },
      });
    }
    if (endpoint.body && !endpoint.bodyOptional) {
      await cells.cell(`${id}: no body`, async () => {
        const reply = await team.call(method, path, {});
        expect(verdictOf(reply)).toBe('422 validation_failed');
        expect(reply.body.errors[0].meta).toMatchObject({ pointer: '', rule: 'required' });
      });
    }
    await expectVerdict('an Accept without JSON', path, '406 not_acceptable', {
      body,
      headers: { Accept: 'text/html, application/json;q=0' },
    });
    await cells.cell(`${id}: unknown query parameters`, async () => {
      const reply = await team.call(method, `${path}?no_such=1&again=2`, { body });
      expect(reply.status).toBe(400);
      expect(codesOf(reply)).toEqual(['invalid_query_parameter', 'invalid_query_parameter']);
    });
    cells.settle();
  });
});

function pointersOf(body: { errors: { meta: { pointer: string } }[] }): string[] {
  return body.errors.map(({ meta }) => meta.pointer).sort();
}
