// Writes to a database from eight loops until its input ends, then reports results. A process of
// its own, so that an exception outside of every promise ends it and is noticed.
import { pace } from '../../support/pace.ts';
import { randomUUID } from 'node:crypto';
import { connectDatabase } from '../../../src/platform/database/client.ts';

const writers = 8;
const url = process.argv[2];
if (url === undefined) throw new Error('the URL is missing');
const database = connectDatabase({
  url,
  maxConnections: 6,
  applicationName: 'writers',
  acquireTimeoutMs: 1_000,
  deadlineMs: 2_000,
});

const acknowledged: string[] = [];
const successTimes: number[] = [];
const failures: Record<string, number> = {};
let slowestMs = 0;
let isOver = false;

async function write() {
  const startedAtMs = performance.now();
  const id = randomUUID();
  try {
    await database.transact(async (sql) => {
      await sql`insert into ledger (transaction_id, part) values (${id}, 1)`;
      await sql`insert into ledger (transaction_id, part) values (${id}, 2)`;
    });
    acknowledged.push(id);
    successTimes.push(Date.now());
  } catch (error) {
    const name = error instanceof Error ? error.name : 'unknown';
    failures[name] = (failures[name] ?? 0) + 1;
    await pace(10);
  }
  slowestMs = Math.max(slowestMs, performance.now() - startedAtMs);
}

async function loop() {
  while (!isOver) await write();
}

const loops = Promise.all(Array.from({ length: writers }, loop));
console.log(JSON.stringify({ writing: true }));
process.stdin.resume();
process.stdin.on('end', () => {
  isOver = true;
  void loops.then(async () => {
    const { busy, waiting } = database.load();
    await database.close();
    const report = { acknowledged, successTimes, failures, slowestMs, busy, waiting };
    process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0));
  });
});
