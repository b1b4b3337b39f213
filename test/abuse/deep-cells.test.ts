import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { batchPath, itemsOf, whenRun } from '../operations/runs/a-run.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { startTestWorker } from '../support/worker.ts';
import type { TestWorker } from '../support/worker.ts';

let api: TestApi;
let worker: TestWorker;
let team: TestTeam;

beforeAll(async () => {
  api = await startTestApi({ BATCH_CPU_SHARE: '1' });
  worker = await startTestWorker(api);
  team = await api.newTeam();
});
afterAll(async () => {
  await worker.close();
  await api.stop();
});

/** The status of each row of an imported file, or the code, rule and field of its problem. */
async function importOf(raw: string, type: string) {
  const headers = { 'Content-Type': type };
  const upload = await team.call('POST', '/v2/batch/uploads', { raw, headers });
  expect(upload.status).toBe(201);
  const { status, body } = await team.post(
    batchPath,
    { operation_kind: 'contacts.bulk_upsert', upload_id: upload.body.id },
    { 'Idempotency-Key': randomUUID() },
  );
  expect(status).toBe(202);
  const run = await whenRun(team, `${batchPath}/${String(body.id)}`);
  const rows = await itemsOf(team, `${batchPath}/${String(body.id)}/items`);
  const outcomes = rows.map(({ status: outcome, errors: [error] }) =>
    error ? [error.code, error.meta?.rule, error.meta?.pointer] : outcome,
  );
  return { status: run.status, outcomes };
}

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
const list = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const object = (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
const keys = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1])));

test('a file with deep cells fails only in those rows, and the run continues', async () => {
  const rows: [attributes: string, outcome: unknown][] = [
    ['{"branch":"007"}', 'created'],
    [object(33), ['record_unreadable', 'json', '/attributes']],
    [object(25_000), ['record_unreadable', 'json', '/attributes']],
    [`{"a":${list(60_000)}}`, ['record_unreadable', 'json', '/attributes']],
    [keys(10_001), ['record_unreadable', 'json', '/attributes']],
    ['{"a":1,"a":2}', ['record_unreadable', 'json', '/attributes']],
    ['{"a":"\\u0000"}', ['record_unreadable', 'json', '/attributes/a']],
    // Text that is not JSON remains text, which the schema refuses.
    ['['.repeat(60_000), ['validation_failed', 'type', '/attributes']],
    ['{"branch":"last"}', 'created'],
  ];
  const key = randomUUID();
  const lines = rows.map(([attributes], at) => `${key}-${String(at)},${cell(attributes)}`);
  const { status, outcomes } = await importOf(
    ['unique_id,attributes', ...lines].join('\n'),
    'text/csv',
  );
  expect(outcomes).toEqual(rows.map(([, outcome]) => outcome));
  expect(status).toBe('succeeded_with_errors');
});

test('deep lists in a list column are problems of their rows', async () => {
  const key = randomUUID();
  const { outcomes } = await importOf(
    [
      'unique_id,tags',
      `${key}-0,gold;vip`,
      `${key}-1,${cell(list(60_000))}`,
      `${key}-2,${cell('["gold"]')}`,
    ].join('\n'),
    'text/csv',
  );
  expect(outcomes).toEqual(['created', ['record_unreadable', 'json', '/tags'], 'created']);
});

test('the same depth limit applies to NDJSON records and request bodies', async () => {
  const key = randomUUID();
  const record = (levels: number) => `{"unique_id":"${key}-0","attributes":${object(levels)}}`;
  const { outcomes } = await importOf(
    `${record(32)}\n${record(40_000)}\n{"unique_id":"${key}-1"}\n`,
    'application/x-ndjson',
  );
  expect(outcomes).toEqual([
    ['invalid_json', undefined, undefined],
    ['invalid_json', undefined, undefined],
    'created',
  ]);
  const { status, body } = await team.call('POST', '/v2/partner/contacts', { raw: record(32) });
  expect([status, body.errors[0].code]).toEqual([400, 'invalid_json']);
});
