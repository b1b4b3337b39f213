import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { findOperation } from '../../../src/operations/catalog.ts';
import type { StoredRun } from '../../../src/operations/runs/queries.ts';
import { planChunk } from '../../../src/operations/runs/running/plan.ts';
import { claimRun } from '../../../src/operations/runs/running/take.ts';
import { errorsOf, verdictOf } from '../../contract/answers.ts';
import { batchPath, countContacts, itemsOf, whenRun } from '../runs/a-run.ts';
import { startTestApi } from '../../support/api.ts';
import type { TestApi, TestTeam } from '../../support/api.ts';
import { startTestWorker } from '../../support/worker.ts';
import type { TestWorker } from '../../support/worker.ts';

let api: TestApi;
let worker: TestWorker;
let team: TestTeam;

beforeAll(async () => {
  api = await startTestApi({ BATCH_CPU_SHARE: '1' });
  worker = await startTestWorker(api);
});
afterAll(async () => {
  await worker.close();
  await api.stop();
});
beforeEach(async () => {
  team = await api.newTeam();
});

const uploads = '/v2/batch/uploads';
const contactAt = (key: string) => `/v2/partner/contacts/unique_id:${key}`;

async function anUpload(content: string | Uint8Array, type = 'text/csv', from = team) {
  const headers = { 'Content-Type': type };
  const reply = await from.call('POST', uploads, { raw: content, headers });
  expect(verdictOf(reply)).toBe('201');
  return String(reply.body.id);
}

const ask = (wish: object, path = batchPath) =>
  team.post(
    path,
    { operation_kind: 'contacts.bulk_upsert', ...wish },
    { 'Idempotency-Key': randomUUID() },
  );

async function aBatch(wish: object): Promise<string> {
  const reply = await ask(wish);
  expect([reply.status, reply.body.errors]).toEqual([202, undefined]);
  return String(reply.headers.get('location'));
}

const rowsOf = (count: number) => Array.from({ length: count }, (_, at) => `key-${String(at)}`);

describe('a column that is named for an objective', () => {
  const content = 'unique_id,direct-deposit\na,x\nb,no\nc,On\n';
  const statusesOf = async (at: string) =>
    (await itemsOf(team, `${at}/items`)).map(({ status, errors }) => errors[0]?.code ?? status);

  test('records completions, once for any number of files', async () => {
    const upload_id = await anUpload(content);
    const first = await aBatch({ upload_id });
    await whenRun(team, first);
    const second = await aBatch({ upload_id });
    await whenRun(team, second);
    expect(await statusesOf(first)).toEqual(['created', 'created', 'created']);
    expect(await statusesOf(second)).toEqual(['unchanged', 'unchanged', 'unchanged']);
    const { body } = await team.get('/v2/partner/objectives?filter[key]=direct-deposit');
    expect(body.data[0].completion_count).toBe(2);
    const later = await aBatch({ upload_id: await anUpload('unique_id,direct-deposit\nb,y\n') });
    await whenRun(team, later);
    expect(await statusesOf(later)).toEqual(['updated']);
  });

  test('needs the scope of completions, and an objective that can be completed', async () => {
    const narrow = await team.withScopes('batch:operations:write', 'partner:contacts:write');
    const asked = await narrow.post(
      batchPath,
      { operation_kind: 'contacts.bulk_upsert', upload_id: await anUpload(content) },
      { 'Idempotency-Key': randomUUID() },
    );
    const at = String(asked.headers.get('location'));
    await whenRun(team, at);
    expect(await statusesOf(at)).toEqual(['scope_missing', 'created', 'scope_missing']);
    const unknown = await aBatch({
      upload_id: await anUpload(
        '{"unique_id":"d","objectives":{"none-such":true}}\n{"unique_id":"e"}\n',
        'application/x-ndjson',
      ),
    });
    await whenRun(team, unknown);
    expect((await itemsOf(team, `${unknown}/items`))[0]).toMatchObject({
      status: 'failed',
      errors: [{ meta: { pointer: '/objectives/none-such', rule: 'reference_not_found' } }],
    });
    expect((await team.get(contactAt('d'))).status).toBe(404);
    expect((await team.get(contactAt('e'))).status).toBe(200);
  });
});

describe('a batch of a CSV file', () => {
  test('applies each record as an item, with the types of its fields', async () => {
    const content = [
      '\uFEFFunique_id,email,first_name,tags,attributes.branch,id',
      'a,a@example.com,"Ada, ""the\r\nCountess""",gold; vip,007,ignored',
      '',
      'b,,Bo,,,',
    ].join('\r\n');
    const at = await aBatch({ upload_id: await anUpload(content) });
    expect(await whenRun(team, at)).toMatchObject({
      status: 'succeeded',
      source: 'upload',
      total_count: 2,
      succeeded_count: 2,
    });
    expect((await team.get(contactAt('a'))).body).toMatchObject({
      email: 'a@example.com',
      first_name: 'Ada, "the\r\nCountess"',
      tags: ['gold', 'vip'],
      attributes: { branch: '007' },
    });
    const second = await team.get(contactAt('b'));
    expect(second.body.first_name).toBe('Bo');
    expect(second.body.email).toBeUndefined();
  });

  test('fails the records that cannot be read or applied, each at its index, and no other', async () => {
    const rows = rowsOf(1_203).map((key) => `${key},${key}@example.com`);
    rows[3] = 'key-3';
    rows[700] = 'key-700,no address';
    rows[701] = 'key-701,"quoted" badly';
    rows[1_202] = 'key-1202,a@example.com,more';
    const bytes = Buffer.from(['unique_id,email', ...rows].join('\n'));
    // Latin-1 in one record.
    bytes[bytes.indexOf('key-900,') + 8] = 0xe4;
    const at = await aBatch({ upload_id: await anUpload(bytes) });
    const run = await whenRun(team, at);
    expect(run).toMatchObject({
      status: 'succeeded_with_errors',
      total_count: 1_203,
      failed_count: 5,
      error_summary: [
        { code: 'record_unreadable', count: 4, sample_index: 3 },
        { code: 'validation_failed', count: 1, sample_index: 700 },
      ],
    });
    const failed = (await itemsOf(team, `${at}/items`)).filter(({ status }) => status === 'failed');
    expect(failed.map(({ index, errors }) => [index, errors[0].meta.rule])).toEqual([
      [3, 'width'],
      [700, 'format'],
      [701, 'quotes'],
      [900, 'encoding'],
      [1_202, 'width'],
    ]);
    expect(await countContacts(team)).toBe(1_198);

    const file = await team.call('GET', `${at}/errors.csv`, {
      headers: { Accept: 'text/csv; charset=utf-8' },
    });
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [header, ...lines] = parse(String(file.body), { record_delimiter: '\r\n' });
    expect(header).toEqual(['index', 'status', 'code', 'pointer', 'detail']);
    expect(lines.map((cells) => cells.slice(0, 4))).toEqual([
      ['3', 'failed', 'record_unreadable', ''],
      ['700', 'failed', 'validation_failed', '/email'],
      ['701', 'failed', 'record_unreadable', ''],
      ['900', 'failed', 'record_unreadable', ''],
      ['1202', 'failed', 'record_unreadable', ''],
    ]);
    expect(String(file.body)).not.toMatch(/key-|no address/);
  });

  test('accepts other column names by mapping, and omits columns', async () => {
    const upload_id = await anUpload('Customer No,Given Name,Remarks\n1,Ada,nice\n');
    const mapping = { 'Customer No': 'unique_id', 'Given Name': 'first_name', Remarks: null };
    await whenRun(team, await aBatch({ upload_id, mapping }));
    expect((await team.get(contactAt('1'))).body.first_name).toBe('Ada');
  });

  test('takes a column of yes and no as a consent, with its source', async () => {
    const content = 'unique_id,Marketing OK\n1,yes\n2,no\n3,\n4,perhaps\n';
    const consent = { channel: 'email', source: 'Branch form 12', evidence: 'Send me news' };
    const consent_columns = { 'Marketing OK': consent };
    const at = await aBatch({ upload_id: await anUpload(content), consent_columns });
    expect(await whenRun(team, at)).toMatchObject({ succeeded_count: 3, failed_count: 1 });
    const statusOf = async (key: string) =>
      (await team.get(contactAt(key))).body.consents.email.status;
    expect(await statusOf('1')).toBe('subscribed');
    expect(await statusOf('2')).toBe('unsubscribed');
    expect(await statusOf('3')).toBe('never');
    const { body } = await team.get(contactAt('1'));
    expect(body.consents.email).toMatchObject({ source: 'Branch form 12' });
    const [failed] = (await itemsOf(team, `${at}/items`)).filter((item) => item.errors.length > 0);
    expect(failed).toMatchObject({ index: 3, errors: [{ code: 'record_unreadable' }] });
  });

  test('refuses consents that are not of this file, or of a column that mapping has', async () => {
    const consent = { channel: 'email', source: 'Branch form' };
    const upload_id = await anUpload('unique_id,OK\n1,yes\n');
    const refused = async (body: object) => {
      const reply = await ask({ upload_id, ...body });
      return [verdictOf(reply), reply.body.errors[0].meta.pointer];
    };
    const consent_columns = { OK: consent };
    expect(await refused({ consent_columns, mapping: { OK: null } })).toEqual([
      ...['422 validation_failed', '/consent_columns'],
    ]);
    expect(await refused({ consent_columns: { OK: { channel: 'email' } } })).toEqual([
      ...['422 validation_failed', '/consent_columns/OK/source'],
    ]);
    expect(await refused({ consent_columns: { OK: { ...consent, channel: 'fax' } } })).toEqual([
      ...['422 validation_failed', '/consent_columns/OK/channel'],
    ]);
    expect(await refused({ upload_id: undefined, items: [{}], consent_columns })).toEqual([
      ...['422 validation_failed', '/consent_columns'],
    ]);
    const accounts = await ask({ upload_id, consent_columns, operation_kind: 'accounts.sync' });
    expect(verdictOf(accounts)).toBe('422 upload_unreadable');
  });

  test.each([
    ['Python writes it on Windows', 'last_name,unique_id\r\r\nDoe,1\r\r\nRoe,2\r\r\n'],
    [
      'Python writes it on Windows, with quotes',
      '"last_name","unique_id"\r\r\n"Doe","1"\r\r\n"Roe","2"\r\r\n',
    ],
    [
      'Excel writes it, with rows of delimiters',
      '\uFEFFunique_id,last_name\r\n1,Doe\r\n2,Roe\r\n,\r\n,\r\n',
    ],
    ['it has two marks', '\uFEFF\uFEFFunique_id,last_name\n1,Doe\n2,Roe'],
    ['its header is quoted, behind a mark', '\uFEFF"unique_id","last_name"\n1,Doe\n2,Roe'],
    ['it has empty lines at both ends', '\n\r\nunique_id,last_name\n1,Doe\n2,Roe\n\n'],
    ['its columns have names with spaces', ' unique_id ,"last_name "\n1,Doe\n2,Roe\n'],
  ])('is read as it is meant where %s', async (_, content) => {
    const at = await aBatch({ upload_id: await anUpload(content) });
    expect(await whenRun(team, at)).toMatchObject({
      ...{ status: 'succeeded', total_count: 2, succeeded_count: 2, failed_count: 0 },
    });
    for (const [key, last_name] of [
      ['1', 'Doe'],
      ['2', 'Roe'],
    ] as const) {
      const { body } = await team.get(contactAt(key));
      expect(body).toMatchObject({ unique_id: key, last_name });
    }
  });

  test.each([
    ['semicolons', 'unique_id;last_name\n1;Doe\n'],
    ['tabs', 'unique_id\tlast_name\n1\tDoe\n'],
    ['a line for Excel', 'sep=,\nunique_id,last_name\n1,Doe\n'],
    ['CR alone', 'unique_id,last_name\r1,Doe\r'],
    ['a quote that stays open', 'unique_id,"last_name\n1,Doe\n'],
  ])('is refused at once where its header has %s', async (_, content) => {
    const reply = await ask({ upload_id: await anUpload(content) });
    expect(verdictOf(reply)).toBe('422 upload_unreadable');
  });

  test('has no items where it has a header alone, and a person twice is updated', async () => {
    const none = await aBatch({ upload_id: await anUpload('unique_id,last_name\r\n') });
    expect(await whenRun(team, none)).toMatchObject({ total_count: 0, failed_count: 0 });
    const content = 'unique_id,last_name\n1,Doe\n1,Roe\n';
    const at = await aBatch({ upload_id: await anUpload(content) });
    await whenRun(team, at);
    const results = await itemsOf(team, `${at}/items`);
    expect(results.map(({ status }) => status)).toEqual(['created', 'updated']);
    expect((await team.get(contactAt('1'))).body.last_name).toBe('Roe');
  });

  test('takes the names of mapping as they stand in the file, or without their ends', async () => {
    const upload_id = await anUpload('"Customer No ",Name\r\n1,Doe\r\n');
    for (const name of ['Customer No ', 'Customer No']) {
      const mapping = { [name]: 'unique_id', Name: 'last_name' };
      const run = await whenRun(team, await aBatch({ upload_id, mapping }));
      expect(run).toMatchObject({ status: 'succeeded', failed_count: 0 });
    }
    expect((await team.get(contactAt('1'))).body.last_name).toBe('Doe');
  });

  test('is refused at once with all errors of its columns', async () => {
    const upload_id = await anUpload('unique_id,Given Name,nonsense,unique_id\n1,2,3,4\n');
    const reply = await ask({ upload_id });
    expect(verdictOf(reply)).toBe('422 upload_unreadable');
    expect(reply.body.errors.map(({ meta }: any) => meta.rule)).toEqual([
      'unknown_column',
      'unknown_column',
      'duplicate_column',
    ]);
    for (const content of ['', '\r\n\n', '"unique_id\n1', '\xff\xfeu\0']) {
      const bad = await ask({ upload_id: await anUpload(Buffer.from(content, 'latin1')) });
      expect(verdictOf(bad)).toBe('422 upload_unreadable');
    }
  });

  test('fails as a whole where a record has no end', async () => {
    const at = await aBatch({
      upload_id: await anUpload(`unique_id\n1\n"${'x\n'.repeat(200_000)}`),
    });
    const run = await whenRun(team, at);
    expect(run).toMatchObject({ status: 'failed', processed_count: 0 });
    expect(run.error).toMatchObject({ code: 'upload_unreadable', meta: { index: 1 } });
  });

  test('that is all or nothing takes 1,000 records', async () => {
    const content = ['unique_id', ...rowsOf(1_001)].join('\n');
    const at = await aBatch({
      upload_id: await anUpload(content),
      options: { failure_mode: 'transactional' },
    });
    const run = await whenRun(team, at);
    expect(run).toMatchObject({ status: 'failed', error: { code: 'too_many_items' } });
    expect(await countContacts(team)).toBe(0);
  });

  test('leaves nothing after a dry run', async () => {
    const upload_id = await anUpload('unique_id,email\n1,a@example.com\n2,b\n');
    const reply = await ask({ upload_id }, `${batchPath}/validate`);
    expect(reply.status).toBe(202);
    expect(await whenRun(team, String(reply.headers.get('location')))).toMatchObject({
      dry_run: true,
      status: 'succeeded_with_errors',
      succeeded_count: 1,
      failed_count: 1,
    });
    expect(await countContacts(team)).toBe(0);
  });
});

test('a batch of an NDJSON file takes a value in each line', async () => {
  const lines = ['{"unique_id":"1","tags":["a"]}', '', '{broken', '[]', '{"unique_id":"2","=x":1}'];
  const upload_id = await anUpload(lines.join('\n'), 'application/x-ndjson');
  const at = await aBatch({ upload_id });
  expect(await whenRun(team, at)).toMatchObject({ total_count: 4, succeeded_count: 1 });
  const results = await itemsOf(team, `${at}/items`);
  expect(results.map(({ errors }) => errors[0]?.code)).toEqual([
    undefined,
    'invalid_json',
    'validation_failed',
    'validation_failed',
  ]);
  const mapped = await ask({ upload_id, mapping: { a: 'b' } });
  expect(verdictOf(mapped)).toBe('422 upload_unreadable');

  // A spreadsheet would take a name that begins so for a formula.
  const [, ...errors] = parse(String((await team.get(`${at}/errors.csv`)).body), {
    record_delimiter: '\r\n',
  });
  expect(errors.at(-1)?.at(4)).toMatch(/^'=x is not a field/);
});

test.each([
  ['CRLF, a mark and empty lines', '\uFEFF{"unique_id":"1"}\r\n\r\n \n{"unique_id":"2"}', [2, 0]],
  ['a line separator in a text', '{"unique_id":"1","last_name":"a\u2028b"}\n', [1, 0]],
  ['two values in a line', '{"unique_id":"1"} {"unique_id":"2"}\n{"unique_id":"3"}\n', [1, 1]],
  ['a value in many lines', '{\n"unique_id":"1"\n}\n', [0, 3]],
  ['a list of all', '[{"unique_id":"1"},{"unique_id":"2"}]\n', [0, 1]],
])('an NDJSON file with %s', async (_, content, [succeeded_count, failed_count]) => {
  const at = await aBatch({ upload_id: await anUpload(content, 'application/x-ndjson') });
  expect(await whenRun(team, at)).toMatchObject({ succeeded_count, failed_count });
  expect(await countContacts(team)).toBe(succeeded_count);
});

describe('an upload', () => {
  const content = 'unique_id\n1\n2\n';

  test('can be used more than once', async () => {
    const upload_id = await anUpload(content);
    await whenRun(team, await aBatch({ upload_id }));
    const again = await whenRun(team, await aBatch({ upload_id }));
    expect(again).toMatchObject({ status: 'succeeded', succeeded_count: 2 });
  });

  test('of another team is not found, and neither is an expired one', async () => {
    const unknown = await ask({ upload_id: randomUUID() });
    expect(verdictOf(unknown)).toBe('422 validation_failed');
    const stranger = await api.newTeam();
    const theirs = await ask({ upload_id: await anUpload(content, 'text/csv', stranger) });
    expect(errorsOf(theirs)).toEqual(errorsOf(unknown));
    const old = await anUpload(content);
    await api.db.look(
      (sql) => sql`update uploads set expires_at = now() - interval '1 second' where id = ${old}`,
    );
    expect(errorsOf(await ask({ upload_id: old }))).toEqual(errorsOf(unknown));
  });

  test('is given instead of items', async () => {
    const upload_id = await anUpload(content);
    expect(verdictOf(await ask({}))).toBe('422 validation_failed');
    expect(verdictOf(await ask({ upload_id, items: [{ unique_id: '1' }] }))).toBe(
      '422 validation_failed',
    );
    expect(verdictOf(await ask({ items: [{ unique_id: '1' }], mapping: { a: 'b' } }))).toBe(
      '422 validation_failed',
    );
  });

  test('cannot be deleted while an operation reads it, and is deleted before its runs', async () => {
    const upload_id = await anUpload(content);
    const at = await aBatch({ upload_id });
    await whenRun(team, at);
    const reopen = (status: string) =>
      api.db.look(
        (sql) => sql`update operation_runs set status = ${status} where upload_id = ${upload_id}`,
      );
    await reopen('running');
    expect(verdictOf(await team.delete(`${uploads}/${upload_id}`))).toBe('409 conflict');
    await reopen('succeeded');
    expect(verdictOf(await team.delete(`${uploads}/${upload_id}`))).toBe('204');
    const run = await team.get(at);
    expect([run.status, run.body.upload_id]).toEqual([200, undefined]);
  });
});

test('a worker that takes over a run continues at its position, and the previous worker writes nothing more', async () => {
  const { database } = api.db;
  const count = 60_000;
  const lines = rowsOf(count).map((key) => `${key},"${'x'.repeat(90)}\n"`);
  const upload_id = await anUpload(['unique_id,first_name', ...lines].join('\n'));
  const [made] = await api.db.look(
    (sql) => sql<{ id: string }[]>`
      insert into operation_runs (team_id, surface, operation_kind, failure_mode, source, upload_id,
        scopes)
      values (${team.id}, 'batch', 'contacts.bulk_upsert', 'partial_ok', 'upload', ${upload_id},
        '{partner:contacts:write}')
      returning id`,
  );
  const runId = String(made?.id);
  const operation = findOperation('contacts.bulk_upsert');
  if (!operation) throw new Error('the operation is gone');
  const take = async () => {
    const taken = await database.transact((sql) => claimRun(sql, team.id, runId));
    if (!taken) throw new Error('the run has ended');
    const hold = { teamId: team.id, runId, token: taken.run.run_token };
    return (run: StoredRun | undefined = taken.run) => planChunk(database, operation, hold, run);
  };
  const first = await take();
  const partly = await first();
  expect(partly).toMatchObject({ status: 'validating', total_count: null });
  const second = await take();
  expect(await first(partly)).toBeUndefined();
  let run = await second();
  while (run?.total_count === null) run = await second(run);
  expect(run).toMatchObject({ status: 'running', total_count: count });

  const chunks = await api.db.look(
    (sql) => sql<{ number: number; first_index: number; item_count: number }[]>`
      select number, first_index, item_count from operation_chunks
      where team_id = ${team.id} and run_id = ${runId}
      order by number`,
  );
  let index = 0;
  for (const [at, chunk] of chunks.entries()) {
    expect([chunk.number, chunk.first_index]).toEqual([at, index]);
    index += chunk.item_count;
  }
  expect(index).toBe(count);
});
