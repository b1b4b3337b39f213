import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { Type } from 'typebox';
import { readHeader } from '../../src/operations/uploads/header.ts';
import { readCsvItems } from '../../src/operations/uploads/read-items.ts';
import { anObjective } from '../campaigns/a-template.ts';
import { whenRun } from './runs/a-run.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startTestWorker } from '../support/worker.ts';
import type { TestWorker } from '../support/worker.ts';

// A CSV file of contacts is imported into another team as it was exported, and gives the same contacts.

let api: TestApi;
let worker: TestWorker;

beforeAll(async () => {
  api = await startTestApi({ BATCH_CPU_SHARE: '1' });
  worker = await startTestWorker(api);
});
afterAll(async () => {
  await worker.close();
  await api.stop();
});

const contacts = '/v2/partner/contacts';

async function exported(team: TestTeam, kind = 'contacts'): Promise<string> {
  const { body } = await team.post('/v2/partner/exports', { kind });
  const at = `/v2/partner/exports/${String(body.id)}`;
  await eventually(
    async () => (await team.get(at)).body,
    (row: any) => row.status === 'succeeded',
  );
  return String((await team.get(`${at}/file`)).body);
}

async function imported(team: TestTeam, text: string, kind = 'contacts.bulk_upsert'): Promise<any> {
  const headers = { 'Content-Type': 'text/csv' };
  const upload = await team.call('POST', '/v2/batch/uploads', { raw: text, headers });
  const batch = await team.post(
    '/v2/batch/operations',
    { operation_kind: kind, upload_id: upload.body.id },
    { 'Idempotency-Key': randomUUID() },
  );
  return whenRun(team, `/v2/batch/operations/${String(batch.body.id)}`);
}

/** Contacts by their key, without what the service owns. */
async function contentOf(team: TestTeam): Promise<Map<string, unknown>> {
  const content = new Map<string, unknown>();
  let next = `${contacts}?page[size]=100`;
  for (;;) {
    const { data, page } = (await team.get(next)).body;
    for (const { id, team_id, inserted_at, updated_at, ...rest } of data) {
      for (const consent of Object.values<any>(rest.consents)) delete consent.updated_at;
      content.set(rest.unique_id, rest);
      expect([id, team_id, inserted_at, updated_at]).not.toContain(undefined);
    }
    if (!page.has_more) return content;
    next = `${contacts}?page[size]=100&page[after]=${String(page.next_cursor)}`;
  }
}

async function create(team: TestTeam, all: readonly object[]): Promise<void> {
  const replies = await Promise.all(all.map((one) => team.post(contacts, one)));
  for (const { status, body } of replies) {
    if (status !== 201) throw new Error(JSON.stringify(body));
  }
}

async function expectRoundTrip(all: readonly object[]): Promise<void> {
  const [from, to] = [await api.newTeam(), await api.newTeam()];
  await create(from, all);
  const text = await exported(from);
  expect(await imported(to, text)).toMatchObject({
    status: 'succeeded',
    succeeded_count: all.length,
  });
  expect(await contentOf(to)).toEqual(await contentOf(from));
  // In its own team it changes nothing.
  const before = await from.get(`${contacts}?page[size]=100`);
  expect(await imported(from, text)).toMatchObject({ status: 'succeeded' });
  expect((await from.get(`${contacts}?page[size]=100`)).body.data).toEqual(before.body.data);
}

test('what means something to a reader of CSV comes back', async () => {
  const texts = [
    ...['=1+1', '+1', '-5', '@home', '\ttab', '\rreturn', "'=x", "''=x", "'plain", "'quoted'"],
    ...[' lead', 'trail ', ' ', ' both ', "' '", "' lead", "trail '", "'' x'", "'= '", "=1 '"],
    ...['\u00a0', 'x\u200b', '\ufeffx', '\u202aAda\u202c', '\u3000', '\u200d', '\u2028'],
    ...['a,b', 'a;b', '"', '""', '"quoted"', 'a"b', 'line\nbreak', 'line\r\nbreak', '\n', '\r\n'],
    ...['[1]', '{}', 'null', 'NULL', 'true', '007', '1e3', '٣', 'é', 'e\u0301', '😀', '\u0001'],
    ...['\\N', '\\', '#comment', '--', "'", "''", "'''", '=', '-', '1,5', '2026-01-31'],
  ];
  const all = texts.map((text, at) => ({
    unique_id: `${text}${String(at)}${text}`,
    first_name: text,
    tags: [text, `${text};${text}`].slice(0, 1 + (at % 2)),
    attributes: { text, list: [text, ''], number: at / 4, flag: at % 2 === 0 },
  }));
  await expectRoundTrip([
    ...all,
    { unique_id: 'lists', tags: ['a', 'b;c', '[d', ' e', "'f'"] },
    { unique_id: 'plain', tags: ['a', 'b c', 'd,e', '"f"'] },
    { unique_id: 'nothing' },
    {
      unique_id: 'all',
      ...{ email: 'ada@bücher.example', phone: '+14155550100', locale: 'de-CH' },
      ...{ timezone: 'Europe/Zurich', postal_code: '0042', preferred_name: 'Ada' },
      consents: {
        email: { status: 'subscribed', source: 'form', evidence: '=I agree; "yes" ' },
        sms: { status: 'unsubscribed', source: 'branch' },
      },
    },
  ]);
});

test.each([
  ['leaves what the recipient took back', 'unsubscribe_link', ['subscribed', 'core', ''], false],
  ['leaves it also where it asks again', 'unsubscribe_link', ['pending', 'core', ''], false],
  [
    'leaves what was taken back on the page',
    'preference_center',
    ['subscribed', 'core', ''],
    false,
  ],
  ['leaves what a provider reported', 'inbound:email_b', ['subscribed', 'core', ''], false],
  ['lifts it with evidence', 'unsubscribe_link', ['subscribed', 'core', 'form 7'], true],
  ['lifts what the bank took back', 'branch', ['subscribed', 'core', ''], true],
])('a file with consents %s', async (_, source, cells, isLifted) => {
  const team = await api.newTeam();
  const email = { status: 'unsubscribed', source };
  await create(team, [{ unique_id: 'ada', email: 'ada@example.com', consents: { email } }]);
  const header = 'unique_id,first_name,consents.email.status,consents.email.source';
  const text = `${header},consents.email.evidence\r\nada,Ada,${cells.join(',')}\r\n`;
  expect(await imported(team, text)).toMatchObject({ status: 'succeeded', succeeded_count: 1 });
  const { body } = await team.get(`${contacts}/unique_id:ada`);
  expect(body).toMatchObject({
    first_name: 'Ada',
    consents: { email: isLifted ? { status: 'subscribed', source: 'core' } : email },
  });
});

const part = fc.oneof(
  fc.constantFrom(' ', "'", '"', ';', ',', '=', '-', '\t', '\n', '\r', '[', ']', '\u00a0', 'a'),
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const textOf = (maxLength: number) =>
  fc
    .array(part, { maxLength: 12 })
    .map((parts) => parts.join('').replaceAll('\0', '').slice(0, maxLength).toWellFormed())
    .filter((text) => text !== '');

test('any text and any list are read from their cells as they were', async () => {
  const item = Type.Object({ text: Type.String(), list: Type.Array(Type.String()) });
  const read = readHeader({ input: item }, ['text', 'list'], {}, new Set());
  const one = fc.record({ text: textOf(50), list: fc.array(textOf(20), { maxLength: 3 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 300 }), async (all) => {
      const rows = await api.db.look<{ line: string }>(
        (sql) => sql`
          select csv_cell(one ->> 'text') || ',' || csv_list(array(
            select text from jsonb_array_elements_text(one -> 'list') with ordinality as e (text, n)
            order by n)) as line
          from jsonb_array_elements(${JSON.stringify(all)}::text::jsonb) with ordinality as a (one, n)
          order by n`,
      );
      const text = rows.map(({ line }) => `${line}\r\n`).join('');
      const cells: string[][] = parse(text, { record_delimiter: '\r\n' });
      for (const cell of cells.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
      const items = readCsvItems(Buffer.from(text), 2, read);
      expect(items).toEqual(
        all.map(({ text, list }) => (list.length > 0 ? { text, list } : { text })),
      );
    }),
    { numRuns: 30 },
  );
});

test('any contacts come back', async () => {
  const optional = <Value>(one: fc.Arbitrary<Value>) => fc.option(one, { nil: undefined });
  const value = fc.oneof(
    textOf(100),
    fc.constant(''),
    fc.integer(),
    fc.integer().map((number) => number / 64),
    fc.boolean(),
    fc.array(textOf(20), { maxLength: 3 }),
  );
  const contact = fc.record({
    first_name: optional(textOf(100)),
    last_name: optional(textOf(100)),
    postal_code: optional(textOf(16)),
    tags: optional(fc.uniqueArray(textOf(64), { maxLength: 4 })),
    attributes: optional(fc.dictionary(fc.stringMatching(/^[a-z][a-z0-9_]{0,9}$/), value)),
    unique_id: textOf(200),
  });
  const [sample] = fc.sample(
    fc.uniqueArray(contact, {
      minLength: 80,
      maxLength: 80,
      selector: ({ unique_id }) => unique_id,
    }),
    { numRuns: 1, seed: 23 },
  );
  await expectRoundTrip(sample ?? []);
});

test('a file has a byte order mark where it is asked for, and is imported with it', async () => {
  const [from, to] = [await api.newTeam(), await api.newTeam()];
  await create(from, [{ unique_id: 'ünï' }]);
  const { body } = await from.post('/v2/partner/exports', { kind: 'contacts' });
  const at = `/v2/partner/exports/${String(body.id)}`;
  await eventually(
    async () => (await from.get(at)).body,
    (row: any) => row.status === 'succeeded',
  );
  const bytesOf = async (query: string) => {
    const response = await fetch(`${api.url}${at}/file${query}`, {
      headers: { Authorization: `Bearer ${from.token}` },
    });
    return Buffer.from(await response.arrayBuffer());
  };
  const plain = await bytesOf('');
  expect(await bytesOf('?bom=false')).toEqual(plain);
  const marked = await bytesOf('?bom=true');
  expect(marked).toEqual(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), plain]));
  expect(await imported(to, marked.toString())).toMatchObject({ status: 'succeeded' });
  const refused = await from.get(`${at}/file?bom=yes`);
  expect([refused.status, refused.body.errors[0].code]).toEqual([400, 'invalid_query_parameter']);
});

test('accounts and completions are read again by the operations that write them', async () => {
  const team = await api.newTeam();
  const { body: contact } = await team.post(contacts, { unique_id: 'ada' });
  const accounts = `${contacts}/${String(contact.id)}/accounts`;
  const account = await team.post(accounts, {
    ...{ unique_id: '=1', name: " 'Savings' ", kind: 'loan', balance_cents: -5, is_primary: true },
    ...{ opened_at: '2020-01-31T12:00:00.123Z', attributes: { branch: '007' } },
  });
  expect(account.status).toBe(201);
  const objective = `/v2/partner/objectives/${await anObjective(team)}/completions`;
  const completion = await team.post(objective, { contact_id: contact.id, value_cents: 1_234 });
  expect(completion.status).toBe(201);

  const accountFile = await exported(team, 'accounts');
  await team.patch(`/v2/partner/accounts/${String(account.body.id)}`, {
    ...{ name: 'Other', balance_cents: 7, opened_at: null, attributes: null },
  });
  expect(await imported(team, accountFile, 'accounts.sync')).toMatchObject({ status: 'succeeded' });
  const restored = await team.get(`/v2/partner/accounts/${String(account.body.id)}`);
  const { updated_at } = restored.body;
  expect(restored.body).toEqual({ ...account.body, updated_at });
  const completions = await exported(team, 'objective_completions');
  expect(await imported(team, completions, 'objectives.complete')).toMatchObject({
    status: 'succeeded',
  });
});
