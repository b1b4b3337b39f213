import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { acquireLease, takeOrphanedLeases } from '../../../src/platform/database/leases.ts';
import { openListener } from '../../../src/platform/database/notify.ts';
import type { Sql } from '../../../src/platform/database/sql.ts';
import type { WorkListener } from '../../../src/platform/database/notify.ts';
import { startTestApi } from '../../support/api.ts';
import type { TestApi } from '../../support/api.ts';
import { untilTrue } from '../../support/eventually.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

/** A process, as far as leases know it. */
async function aProcess(): Promise<{ listener: WorkListener; pid: number }> {
  const listener = openListener(api.db.database);
  await untilTrue(() => listener.backendPid() !== undefined);
  return { listener, pid: listener.backendPid() ?? 0 };
}

async function end({ listener, pid }: Awaited<ReturnType<typeof aProcess>>): Promise<void> {
  listener.stop();
  await untilTrue(async () => {
    const rows = await api.db.look((sql) => sql`select from pg_stat_get_activity(${pid})`);
    return rows.length === 0;
  });
}

const take = (pid: number | undefined) =>
  api.db.database.read((sql) => takeOrphanedLeases(sql, pid));

/** So long that every Postgres has just started. */
const always = 1e9;

test('a lease that is acquired soon after a start of Postgres says so', async () => {
  const acquire = (afterStartSeconds: number) =>
    api.db.database.transact((sql) => acquireLease(sql, 1, 0, undefined, afterStartSeconds));
  expect(await acquire(always)).toMatchObject({ is_after_restart: true });
  expect(await acquire(0)).toMatchObject({ is_after_restart: false });
});

test('the lease of a process that has ended goes to one other, and on if that ends too', async () => {
  const [owner, second, third] = await Promise.all([aProcess(), aProcess(), aProcess()]);
  const acquire = (pid: number) =>
    api.db.database.transact((sql) => acquireLease(sql, 0, 60_000, pid));
  const first = await acquire(owner.pid);
  expect(await take(second.pid)).toEqual([]);
  await end(owner);
  // Where Postgres has just started, everybody has lost the connection, and may come back.
  const takeAfterStart = (sql: Sql) => takeOrphanedLeases(sql, second.pid, always);
  expect(await api.db.database.read(takeAfterStart)).toEqual([]);
  expect(await take(second.pid)).toEqual([{ lane: 0 }]);
  expect(await take(second.pid)).toEqual([]);
  expect(await take(third.pid)).toEqual([]);
  // It ends before the lane has an owner again.
  await end(second);
  expect(await take(third.pid)).toEqual([{ lane: 0 }]);
  expect((await acquire(third.pid)).token).toBe(first.token + 3);
  expect(await take(third.pid)).toEqual([]);
  await end(third);
  // A process that has no connection yet signals, and has no lease that others could take.
  expect(await take(undefined)).toEqual([{ lane: 0 }]);
  expect(await take(undefined)).toEqual([]);
});
