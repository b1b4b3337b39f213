import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import postgres from 'postgres';
import { startPostgres } from '../../../src/local/postgres.ts';
import { sendSignal } from '../../../src/local/processes.ts';
import { scratchDirectory } from '../../local/scratch.ts';
import { eventually } from '../../support/eventually.ts';

// A longer run: RESTARTS=24 npm test test/platform/database/restarts
const restarts = Number(process.env['RESTARTS'] ?? 6);
const signals = ['SIGKILL', 'SIGINT', 'SIGQUIT'] as const;
const root = scratchDirectory();
chmodSync(root, 0o755);
const runner = fileURLToPath(new URL('../../../src/local/run.mjs', import.meta.url));
const fixture = fileURLToPath(new URL('writers-fixture.ts', import.meta.url));

interface Report {
  acknowledged: string[];
  successTimes: number[];
  failures: Record<string, number>;
  slowestMs: number;
  busy: number;
  waiting: number;
}

/** Queries on a connection of its own, outside the pool under test. */
async function ask<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined, connect_timeout: 2 });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 0 });
  }
}

const answers = (url: string) =>
  ask(url, (sql) => sql`select 1`).then(
    () => true,
    () => false,
  );

test(
  `${String(restarts)} restarts of Postgres under load: no crash, no lost or torn transaction, back at once`,
  async () => {
    const server = await startPostgres({ directory: join(root, 'postgres') });
    try {
      await ask(
        server.url,
        (sql) => sql`create table ledger (transaction_id uuid not null, part int not null)`,
      );
      const child = spawn(process.execPath, [runner, fixture, server.url], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      const exit = once(child, 'exit');
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      await lines.next();
      const written = () =>
        ask(server.url, async (sql) => (await sql`select from ledger`).count).catch(() => 0);

      const backAt: number[] = [];
      for (let round = 0; round < restarts; round += 1) {
        const before = await written();
        await eventually(written, (count) => count > before + 50);
        const { pid } = server;
        sendSignal(pid, signals[round % signals.length] ?? 'SIGKILL');
        await eventually(
          () => Promise.resolve(server.pid),
          (now) => now !== pid,
        );
        await eventually(() => answers(server.url), Boolean);
        backAt.push(Date.now());
      }
      const before = await written();
      await eventually(written, (count) => count > before);
      child.stdin.end();
      const { value } = await lines.next();
      expect(await exit).toEqual([0, null]);

      const report: Report = JSON.parse(String(value));
      const rows = await ask(
        server.url,
        (sql) => sql<{ id: string; parts: number }[]>`
          select transaction_id as id, count(*)::int as parts from ledger group by 1`,
      );
      const parts = new Map(rows.map((row) => [row.id, row.parts]));
      const firstSuccesses = backAt.map(
        (at) => (report.successTimes.find((time) => time >= at) ?? Infinity) - at,
      );
      if (restarts > 6) {
        console.info({
          acknowledged: report.acknowledged.length,
          failures: report.failures,
          slowestMs: Math.round(report.slowestMs),
          firstSuccesses,
          unacknowledged: rows.length - report.acknowledged.length,
        });
      }
      expect(report.acknowledged.filter((id) => parts.get(id) !== 2)).toEqual([]);
      expect(rows.filter((row) => row.parts !== 2)).toEqual([]);
      expect(Object.keys(report.failures)).toEqual(['DatabaseUnavailable']);
      // Waiting for a connection, the call itself, and what a loaded machine adds.
      expect(report.slowestMs).toBeLessThan(1_000 + 2_000 + 20_000);
      expect(Math.max(...firstSuccesses)).toBeLessThanOrEqual(20_000);
      expect({ busy: report.busy, waiting: report.waiting }).toEqual({ busy: 0, waiting: 0 });
    } finally {
      await server.stop();
    }
  },
  60_000 + restarts * 15_000,
);
