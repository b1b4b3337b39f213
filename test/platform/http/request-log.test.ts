import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { anonymous } from '../../../src/platform/auth/principal.ts';
import type { Database } from '../../../src/platform/database/client.ts';
import { DatabaseUnavailable } from '../../../src/platform/database/failures.ts';
import { endpoints } from '../../../src/app/endpoints.ts';
import { requestLogDropped, requestLogLeftOut } from '../../../src/platform/http/metrics.ts';
import { createRequestLog } from '../../../src/platform/http/request-log.ts';
import type { LoggedRequest } from '../../../src/platform/http/request-log.ts';
import { traceOfRun } from '../../../src/platform/http/trace.ts';
import { createLog } from '../../../src/platform/observability/log.ts';
import { cloneDatabase } from '../../support/database.ts';
import type { TestDatabase } from '../../support/database.ts';

const log = createLog('silent', 'tests');
let db: TestDatabase;
beforeAll(async () => {
  db = await cloneDatabase();
});
afterAll(() => db.stop());

function noteOf(teamId: string, id: string = randomUUID()): LoggedRequest {
  const endpoint = endpoints.find((one) => one.id === 'getTeam');
  if (!endpoint) throw new Error('no such endpoint');
  return {
    ...{
      endpoint,
      params: {},
      search: new URLSearchParams(),
      trace: traceOfRun(id),
      method: 'GET',
    },
    principal: { ...anonymous, teamId, clientId: randomUUID() },
    ...{ atMs: Date.now(), durationMs: 3, status: 200, problems: [], received: undefined },
    answer: { status: 200, headers: {}, body: '{}' },
  };
}
const whole = { maxSuccesses: Infinity };
const requestsOf = async (teamId: string) =>
  (
    await db.look(
      (sql) => sql<{ request_id: string }[]>`
        select request_id from request_log where team_id = ${teamId} order by request_id`,
    )
  ).map((row) => row.request_id);

test('waiting entries are written before the log stops, also beyond one batch', async () => {
  const teamId = randomUUID();
  const requestLog = createRequestLog(db.database, log, whole);
  const ids = Array.from({ length: 600 }, (_, at) => `request-${String(at).padStart(4, '0')}`);
  for (const id of ids) requestLog.record(noteOf(teamId, id));
  await requestLog.stop();
  expect(await requestsOf(teamId)).toEqual(ids);
});

test('a burst of successes is sampled and the omissions are counted; refusals are all logged', async () => {
  const teamId = randomUUID();
  const requestLog = createRequestLog(db.database, log, { maxSuccesses: 2 });
  const leftOut = async () => (await requestLogLeftOut.get()).values[0]?.value ?? 0;
  const before = await leftOut();
  for (const id of ['1', '2', '3']) requestLog.record(noteOf(teamId, `good-${id}`));
  const problems = [{ code: 'not_found' as const, detail: 'No such thing.' }];
  for (const id of ['1', '2', '3']) {
    requestLog.record({ ...noteOf(teamId, `refused-${id}`), status: 404, problems });
  }
  await requestLog.stop();
  expect(await requestsOf(teamId)).toEqual([
    ...['good-1', 'good-2'],
    ...['refused-1', 'refused-2', 'refused-3'],
  ]);
  expect((await leftOut()) - before).toBe(1);
});

test('during an outage of Postgres the newest entries are retained, and dropped entries are counted', async () => {
  const teamId = randomUUID();
  let isAway = true;
  const database: Database = {
    ...db.database,
    transact: (work, options) =>
      isAway
        ? Promise.reject(new DatabaseUnavailable('away'))
        : db.database.transact(work, options),
  };
  const requestLog = createRequestLog(database, log, whole);
  const dropped = async () => (await requestLogDropped.get()).values[0]?.value ?? 0;
  const before = await dropped();
  const ids = Array.from({ length: 2_010 }, (_, at) => `request-${String(at).padStart(4, '0')}`);
  for (const id of ids) requestLog.record(noteOf(teamId, id));
  await requestLog.stop();
  expect(await requestsOf(teamId)).toEqual([]);
  isAway = false;
  await requestLog.stop();
  expect(await requestsOf(teamId)).toEqual(ids.slice(10));
  expect((await dropped()) - before).toBe(10);
});

test('an entry that cannot be rendered loses no other entry', async () => {
  const teamId = randomUUID();
  const requestLog = createRequestLog(db.database, log);
  const broken = { ...noteOf(teamId), answer: { status: 200, headers: {}, body: '{broken' } };
  requestLog.record(broken);
  requestLog.record(noteOf(teamId, 'whole'));
  await requestLog.stop();
  expect(await requestsOf(teamId)).toEqual(['whole']);
});
