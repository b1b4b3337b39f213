import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { connectDatabase } from '../../../src/platform/database/client.ts';
import type { Database, DatabaseOptions } from '../../../src/platform/database/client.ts';
import type { Sql } from '../../../src/platform/database/sql.ts';
import { DatabaseUnavailable } from '../../../src/platform/database/failures.ts';
import {
  notifyAfterCommit,
  awaitBeforeCommit,
} from '../../../src/platform/database/transaction-context.ts';
import { cloneDatabase } from '../../support/database.ts';
import type { TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { startProxy } from '../../support/proxy.ts';
import type { Proxy } from '../../support/proxy.ts';

let db: TestDatabase;
let proxy: Proxy;
let pools: Database[];

beforeAll(async () => {
  db = await cloneDatabase();
  await db.look((sql) => sql`create table notes (id int primary key, text text not null)`);
  await db.look((sql) => sql`grant all on notes to public`);
});
afterAll(() => db.stop());
beforeEach(async () => {
  const { hostname, port } = new URL(db.url);
  proxy = await startProxy({ host: hostname, port: Number(port) });
  pools = [];
  await db.look((sql) => sql`delete from notes`);
});
afterEach(async () => {
  await proxy.stop();
  await Promise.all(pools.map((pool) => pool.close()));
});

/** A pool whose connections run through the proxy. */
function connect(options: Partial<DatabaseOptions> = {}): Database {
  const url = new URL(db.url);
  url.port = String(proxy.port);
  const pool = connectDatabase({
    url: url.href,
    maxConnections: 2,
    applicationName: 'client-test',
    acquireTimeoutMs: 300,
    deadlineMs: 300,
    ...options,
  });
  pools.push(pool);
  return pool;
}

/** Where it is not time that is tried: a busy machine takes a while to connect. */
const patient = { acquireTimeoutMs: 10_000, deadlineMs: 10_000 };

const one = async (sql: Sql) => (await sql<{ one: number }[]>`select 1 as one`)[0]?.one;
const insert = (sql: Sql, id: number) => sql`insert into notes (id, text) values (${id}, 'x')`;
const ids = async () =>
  (await db.look<{ id: number }>((sql) => sql`select id from notes order by id`)).map(
    ({ id }) => id,
  );
const nothingHeld = (pool: Database) => {
  const { busy, waiting } = pool.load();
  return { busy, waiting };
};

async function timed<T>(work: Promise<T>) {
  const startedAtMs = performance.now();
  const [result] = await Promise.allSettled([work]);
  return { result, ms: performance.now() - startedAtMs };
}

const unavailable = { status: 'rejected', reason: expect.any(DatabaseUnavailable) };

describe('a silent connection', () => {
  test('fails every call at its deadline, holds no slot, and the pool recovers', async () => {
    const pool = connect();
    await Promise.all([pool.read(one), pool.read(one)]);
    proxy.blackHole();
    // Two hold the connections, the others wait for one; later ones open into the void.
    const calls = await Promise.all(
      Array.from({ length: 8 }, () => timed(pool.transact((sql) => insert(sql, 1)))),
    );
    for (const { result, ms } of calls) {
      expect(result).toMatchObject(unavailable);
      expect(ms).toBeLessThan(30_000);
    }
    expect(nothingHeld(pool)).toEqual({ busy: 0, waiting: 0 });
    await proxy.heal();
    await eventually(
      () => pool.read(one).catch(() => 0),
      (answer) => answer === 1,
    );
    const again = await Promise.all(Array.from({ length: 8 }, () => pool.read(one)));
    expect(again).toEqual(Array(8).fill(1));
    expect(nothingHeld(pool)).toEqual({ busy: 0, waiting: 0 });
    expect(await ids()).toEqual([]);
  });

  test('a connection that opens after its caller has timed out returns to the pool', async () => {
    const pool = connect({ maxConnections: 1, acquireTimeoutMs: 400, deadlineMs: 300 });
    const slow = pool.read((sql) => sql`select pg_sleep(2)`).catch(() => 'late');
    const waiting = Array.from({ length: 4 }, () => pool.read(one).catch(() => 'refused'));
    proxy.blackHole();
    await slow;
    await Promise.all(waiting);
    await proxy.heal();
    await eventually(
      () => pool.read(one).catch(() => 0),
      (answer) => answer === 1,
    );
    await eventually(
      () => Promise.resolve(nothingHeld(pool)),
      ({ busy, waiting: count }) => busy === 0 && count === 0,
    );
  });
});

describe('an unreachable server', () => {
  test('also fails the calls that wait for a connection immediately', async () => {
    const pool = connect({ maxConnections: 2, acquireTimeoutMs: 60_000 });
    await proxy.stop();
    const calls = await Promise.all(Array.from({ length: 10 }, () => timed(pool.read(one))));
    for (const { result, ms } of calls) {
      expect(result).toMatchObject(unavailable);
      expect(ms).toBeLessThan(30_000);
    }
    expect(nothingHeld(pool)).toEqual({ busy: 0, waiting: 0 });
  });

  test.each([
    ['says nothing', () => undefined],
    ['hangs up', (socket: net.Socket) => socket.end()],
    ['has no TLS', (socket: net.Socket) => socket.write('N')],
    ['offers TLS and says no more', (socket: net.Socket) => socket.write('S')],
  ])('that %s at the request for TLS fails the call in time', async (_, answer) => {
    const sockets: net.Socket[] = [];
    const server = net.createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.once('data', () => answer(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address: AddressInfo | string | null = server.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const pool = connect({ url: `postgres://u:p@127.0.0.1:${port}/d?sslmode=require` });
    const { result, ms } = await timed(pool.read(one));
    expect(result).toMatchObject(unavailable);
    expect(ms).toBeLessThan(30_000);
    expect(pool.load()).toEqual({ open: 0, busy: 0, waiting: 0 });
    for (const socket of sockets) socket.destroy();
    server.close();
  });
});

describe('a broken transaction', () => {
  test('runs no statement outside the transaction when the connection is lost', async () => {
    const pool = connect({ maxConnections: 1, ...patient });
    const errors: unknown[] = [];
    const broken = pool.transact(async (sql) => {
      await insert(sql, 1);
      proxy.cut();
      for (const id of [2, 3]) await insert(sql, id).catch((error: unknown) => errors.push(error));
      throw errors[0];
    });
    await expect(broken).rejects.toThrow(DatabaseUnavailable);
    await eventually(
      () => Promise.resolve(errors.length),
      (count) => count === 2,
    );
    await pool.transact((sql) => insert(sql, 4));
    expect(await ids()).toEqual([4]);
  });

  test('leaves no statement that runs on the connection of a later caller', async () => {
    const pool = connect({ maxConnections: 1, ...patient });
    let leftBehind: Promise<unknown> = Promise.resolve();
    const broken = pool.transact(async (sql) => {
      leftBehind = insert(sql, 1).then(async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return insert(sql, 2);
      });
      leftBehind.catch(() => undefined);
      await Promise.reject(new Error('refused by a rule'));
    });
    await expect(broken).rejects.toThrow('refused by a rule');
    await pool.transact((sql) => insert(sql, 3));
    await expect(leftBehind).rejects.toThrow('a query came after the end of the call');
    expect(await ids()).toEqual([3]);
  });

  test('a failed statement whose error is ignored still rolls back the transaction and rejects it', async () => {
    const pool = connect(patient);
    const swallowed = pool.transact(async (sql) => {
      await insert(sql, 1);
      await insert(sql, 1).catch(() => undefined);
    });
    await expect(swallowed).rejects.toThrow('the transaction was rolled back');
    expect(await ids()).toEqual([]);
  });

  test('a snapshot sees one moment despite later commits, and writes nothing', async () => {
    const pool = connect(patient);
    const count = async (sql: Sql) => (await sql`select from notes`).count;
    const seen = await pool.transact(
      async (sql) => {
        const before = await count(sql);
        await pool.transact((other) => insert(other, 1));
        return [before, await count(sql)];
      },
      { isSnapshot: true },
    );
    expect(seen).toEqual([0, 0]);
    expect(await ids()).toEqual([1]);
    const writing = pool.transact((sql) => insert(sql, 2), { isSnapshot: true });
    await expect(writing).rejects.toThrow('read-only transaction');
    // Nothing of it stays with the connection.
    await pool.transact((sql) => insert(sql, 3));
    expect(await ids()).toEqual([1, 3]);
  });

  test('work is notified by a commit only', async () => {
    const announced: string[] = [];
    const pool = connect({ ...patient, onWork: (work) => announced.push(...work) });
    await pool
      .transact(async (sql) => {
        notifyAfterCommit(sql, 'outbox');
        await Promise.reject(new Error('no'));
      })
      .catch(() => undefined);
    await pool.transact((sql) => insert(sql, 1));
    expect(announced).toEqual([]);
    await pool.transact(async (sql) => {
      await insert(sql, 2);
      notifyAfterCommit(sql, 'outbox');
    });
    expect(announced).toEqual(['outbox']);
  });
});

test('a failure of a statement that awaitBeforeCommit registers prevents the commit', async () => {
  const pool = connect(patient);
  await pool.transact(async (sql) => {
    await insert(sql, 1);
    awaitBeforeCommit(sql, insert(sql, 2));
  });
  expect(await ids()).toEqual([1, 2]);
  const failing = pool.transact(async (sql) => {
    await insert(sql, 3);
    awaitBeforeCommit(sql, insert(sql, 1));
  });
  await expect(failing).rejects.toMatchObject({ code: '23505' });
  expect(await ids()).toEqual([1, 2]);
});

test('no transaction fails because a migration has changed its tables', async () => {
  const pool = connect({ ...patient, maxConnections: 4, applicationName: 'migrated-test' });
  const readBoth = (sql: Sql) =>
    sql`select * from notes`.then(() => sql`select * from other_notes`);
  const inParallel = () => Promise.all(Array.from({ length: 4 }, () => pool.transact(readBoth)));
  await db.look((sql) => sql`create table other_notes (id int primary key)`);
  await db.look((sql) => sql`grant all on other_notes to public`);
  await inParallel();
  const before = await backends();
  await db.look((sql) => sql`alter table notes add column extra int`);
  await db.look((sql) => sql`alter table other_notes add column extra int`);
  for (let round = 0; round < 4; round += 1) await inParallel();
  // Each connection was replaced once.
  const after = await backends();
  expect(after.filter((pid) => before.includes(pid))).toEqual([]);
  await inParallel();
  expect(await backends()).toEqual(after);
});

/** The connections of the pools of this test. */
async function backends(): Promise<number[]> {
  const rows = await db.look<{ pid: number }>(
    (sql) => sql`
      select pid from pg_stat_activity
      where datname = current_database() and application_name = 'migrated-test' order by pid`,
  );
  return rows.map(({ pid }) => pid);
}

test('the loser of a deadlock of two transactions is repeated, and both commit', async () => {
  const pool = connect(patient);
  await pool.transact(async (sql) => {
    await insert(sql, 1);
    await insert(sql, 2);
  });
  let runs = 0;
  let holding = 0;
  let meet: () => void = () => undefined;
  const bothHoldOne = new Promise<void>((resolve) => (meet = resolve));
  const touch = (first: number, second: number) =>
    pool.transact(async (sql) => {
      runs += 1;
      await sql`update notes set text = text || 'y' where id = ${first}`;
      holding += 1;
      if (holding === 2) meet();
      await bothHoldOne;
      await sql`update notes set text = text || 'y' where id = ${second}`;
    });
  await Promise.all([touch(1, 2), touch(2, 1)]);
  // A repeated transaction may meet the other again.
  expect(runs).toBeGreaterThanOrEqual(3);
  const rows = await db.look<{ text: string }>((sql) => sql`select text from notes`);
  expect(rows.map(({ text }) => text)).toEqual(['xyy', 'xyy']);
});

describe('pipelined reads', () => {
  const backend = async (sql: Sql) =>
    (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid;

  test('share one connection when no other is free', async () => {
    const pool = connect({ maxConnections: 1, ...patient });
    const shared = await Promise.all(
      Array.from({ length: 6 }, () => pool.read(backend, { isPipelined: true })),
    );
    expect(new Set(shared).size).toBe(1);
    expect(nothingHeld(pool)).toEqual({ busy: 0, waiting: 0 });
  });

  test('share a few connections although more are free', async () => {
    const pool = connect({ maxConnections: 6, ...patient });
    await Promise.all(Array.from({ length: 6 }, () => pool.read(one)));
    const shared = await Promise.all(
      Array.from({ length: 24 }, () => pool.read(backend, { isPipelined: true })),
    );
    expect(new Set(shared).size).toBe(3);
    expect(nothingHeld(pool)).toEqual({ busy: 0, waiting: 0 });
  });

  test('do not queue behind a read that blocks its connection', async () => {
    const pool = connect({ maxConnections: 8, acquireTimeoutMs: 5_000, deadlineMs: 20_000 });
    const order: string[] = [];
    const slow = Array.from({ length: 3 }, () =>
      pool
        .read((sql) => sql`select pg_sleep(30)`, { isPipelined: true, deadlineMs: 1_000 })
        .catch(() => order.push('slow')),
    );
    await eventually(
      () =>
        db.look(
          (sql) => sql`
            select 1 from pg_stat_activity
            where query like 'select pg_sleep(30)%' and state = 'active'
              and query_start < clock_timestamp() - interval '30 ms'`,
        ),
      (running) => running.length === 3,
    );
    expect(await pool.read(one, { isPipelined: true })).toBe(1);
    order.push('quick');
    await Promise.all(slow);
    expect(order).toEqual(['quick', 'slow', 'slow', 'slow']);
  });

  test('never join a transaction', async () => {
    const pool = connect({ maxConnections: 1, acquireTimeoutMs: 5_000, deadlineMs: 5_000 });
    const order: string[] = [];
    let entered: () => void = () => undefined;
    const isIn = new Promise<void>((resolve) => (entered = resolve));
    const writing = pool.transact(async (sql) => {
      await insert(sql, 1);
      entered();
      await insert(sql, 2);
      order.push('transaction');
    });
    await isIn;
    const seen = await pool.read(
      async (sql) => {
        order.push('read');
        return (await sql`select id from notes`).length;
      },
      { isPipelined: true },
    );
    await writing;
    expect(order).toEqual(['transaction', 'read']);
    expect(seen).toBe(2);
  });

  test('are repeated once if another read was too slow for their connection', async () => {
    const pool = connect({ maxConnections: 1, acquireTimeoutMs: 5_000, deadlineMs: 5_000 });
    const slow = timed(
      pool.read((sql) => sql`select pg_sleep(30)`, { isPipelined: true, deadlineMs: 300 }),
    );
    // The second one waits behind the first on the same connection, and has time left.
    await eventually(
      () => Promise.resolve(pool.load()),
      ({ busy }) => busy === 1,
    );
    let runs = 0;
    const neighbor = pool.read(
      (sql) => {
        runs += 1;
        return one(sql);
      },
      { isPipelined: true },
    );
    expect(await neighbor).toBe(1);
    expect(runs).toBe(2);
    expect((await slow).result).toMatchObject(unavailable);
    expect(nothingHeld(pool)).toEqual({ busy: 0, waiting: 0 });
  });
});

test('a statement with an outdated plan never runs after the end of its transaction', async () => {
  const pool = connect({ maxConnections: 1, ...patient });
  const insertWhole = (sql: Sql, id: number) =>
    sql`insert into notes (id, text) values (${id}, 'x') returning *`;
  await pool.transact((sql) => insertWhole(sql, 1));
  await db.look((sql) => sql`alter table notes add column added int`);
  try {
    // It travels with the commit: repeated by the driver, it would be behind it.
    await pool.transact((sql) => {
      awaitBeforeCommit(sql, insertWhole(sql, 2).execute());
      awaitBeforeCommit(sql, insert(sql, 3).execute());
      return Promise.resolve();
    });
  } finally {
    await db.look((sql) => sql`alter table notes drop column added`);
  }
  expect(await ids()).toEqual([1, 2, 3]);
});

test('a query cannot be canceled or have a cursor, since others share its connection', async () => {
  const pool = connect({ maxConnections: 1, ...patient });
  const refusal = 'A query that shares its connection cannot';
  await expect(pool.read(async (sql) => sql`select 1`.cancel())).rejects.toThrow(refusal);
  await expect(pool.read(async (sql) => sql`select 1`.cursor())).rejects.toThrow(refusal);
});

test('a statement past its deadline frees the slot and ends on the server', async () => {
  const pool = connect({ maxConnections: 1 });
  const { result, ms } = await timed(pool.read((sql) => sql`select pg_sleep(30.25)`));
  expect(result).toMatchObject(unavailable);
  expect(ms).toBeLessThan(30_000);
  expect(await pool.read(one)).toBe(1);
  expect(nothingHeld(pool)).toEqual({ busy: 0, waiting: 0 });
  const running = (sql: Sql) => sql`
    select from pg_stat_activity
    where query like '%pg_sleep(30.25)%' and state = 'active' and pid <> pg_backend_pid()`;
  await eventually(
    () => pool.read(running),
    (rows) => rows.length === 0,
  );
});

test('idle connections that the server ends are replaced without an error', async () => {
  const pool = connect(patient);
  await Promise.all([pool.read(one), pool.read(one)]);
  expect(pool.load()).toMatchObject({ open: 2, busy: 0 });
  proxy.cut();
  await eventually(
    () => Promise.resolve(pool.load()),
    ({ open }) => open === 0,
  );
  expect(nothingHeld(pool)).toEqual({ busy: 0, waiting: 0 });
  expect(await Promise.all([pool.read(one), pool.read(one)])).toEqual([1, 1]);
});

test('a listener reconnects after its connection is lost', async () => {
  const pool = connect({ deadlineMs: 2_000 });
  const heard: string[] = [];
  const listening = pool.listen('news', (payload) => heard.push(payload));
  const say = (text: string) =>
    eventually(
      async () => {
        await db.database.read((sql) => sql`select pg_notify('news', ${text})`);
        return heard;
      },
      (all) => all.includes(text),
    );
  await say('first');
  proxy.cut();
  await say('second');
  listening.stop();
  await eventually(
    () => Promise.resolve(proxy.connections()),
    (count) => count === 0,
  );
});

test('a closed pool refuses calls, and leaves no connection', async () => {
  const pool = connect(patient);
  await Promise.all([pool.read(one), pool.read(one)]);
  const last = pool.transact((sql) => insert(sql, 1));
  await new Promise((resolve) => setImmediate(resolve));
  await Promise.all([last, pool.close()]);
  await expect(pool.read(one)).rejects.toThrow('the pool is closed');
  expect(pool.load()).toEqual({ open: 0, busy: 0, waiting: 0 });
  expect(await ids()).toEqual([1]);
});
