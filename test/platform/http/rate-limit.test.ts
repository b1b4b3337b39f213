import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startApi } from '../../../src/app/start-api.ts';
import type { ApiProcess } from '../../../src/app/start-api.ts';
import { connectDatabase } from '../../../src/platform/database/client.ts';
import type { Database } from '../../../src/platform/database/client.ts';
import { DatabaseUnavailable } from '../../../src/platform/database/failures.ts';
import { budgetOf, createRateLimiter } from '../../../src/platform/http/rate-limit.ts';
import type { RateDecision } from '../../../src/platform/http/rate-limit.ts';
import { createLog } from '../../../src/platform/observability/log.ts';
import { eventually } from '../../support/eventually.ts';
import { pace } from '../../support/pace.ts';
import { noteAnswer } from '../../reach/record.ts';
import { startTestApi } from '../../support/api.ts';
import type { TestApi, TestTeam } from '../../support/api.ts';

let api: TestApi;
let second: ApiProcess;
let databases: Database[];
const log = createLog('silent', 'test');

beforeAll(async () => {
  api = await startTestApi();
  second = await startApi(api.config, api.keyring, log, { onAnswer: noteAnswer });
  databases = Array.from({ length: 2 }, () =>
    connectDatabase({ url: api.db.url, maxConnections: 4, applicationName: 'limiter' }),
  );
});
afterAll(async () => {
  await Promise.all(databases.map((database) => database.close()));
  await second.close();
  await api.stop();
});

const limiters = () => databases.map((database) => createRateLimiter(database, log));
const contacts = '/v2/partner/contacts';
const read = (team: TestTeam, base: string) =>
  fetch(`${base}${contacts}/00000000-0000-4000-8000-000000000000`, {
    headers: { Authorization: `Bearer ${team.token}` },
  });

async function steadyTokens(team: string): Promise<number> {
  const [row] = await api.db.look<{ tokens: number }>(
    (sql) => sql`select steady_tokens as tokens from rate_budgets where team_id = ${team}`,
  );
  return row?.tokens ?? 0;
}

/** Nothing flows in for a minute, so that what is left can be compared exactly. */
const setSteadyTokens = (team: string, tokens: number) =>
  api.db.look(
    (sql) => sql`
      update rate_budgets set steady_tokens = ${tokens},
        refilled_at = clock_timestamp() + interval '1 minute'
      where team_id = ${team}`,
  );

/** The result of the work and its duration in seconds, in which a bucket refills. */
async function secondsOf<T>(work: () => Promise<T>): Promise<[T, number]> {
  const startedAtMs = performance.now();
  const result = await work();
  return [result, (performance.now() - startedAtMs) / 1_000];
}

describe('the standard tier', () => {
  test('refuses requests beyond the burst with 429, Retry-After and the headers of the draft', async () => {
    const team = await api.newTeam({ tier: 'standard' });
    const { burst, steady } = budgetOf('standard', 'meta');
    const replies = [];
    for (let at = 0; at < 40 && replies.at(-1)?.status !== 429; at += 1) {
      replies.push(await team.get('/v2/meta/capabilities'));
    }
    const refused = replies.at(-1);
    expect(refused).toMatchObject({
      status: 429,
      body: {
        errors: [
          {
            code: 'rate_limited',
            meta: { class: 'meta', limit: steady, window_seconds: 60 },
          },
        ],
      },
    });
    expect(replies.length).toBeGreaterThan(burst);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    for (const { headers } of replies) {
      expect(headers.get('ratelimit-policy')).toBe(
        `"meta";q=${String(steady)};w=60, "meta-burst";q=${String(burst)};w=1`,
      );
      expect(headers.get('ratelimit')).toMatch(/^"meta";r=\d+;t=\d+$/);
    }
    expect(refused?.headers.get('ratelimit')).toMatch(/^"meta";r=0;t=\d+$/);
  });

  test('shows the same figures in its capabilities and its headers', async () => {
    const team = await api.newTeam({ tier: 'standard' });
    const { body } = await team.get('/v2/meta/capabilities');
    expect(body.rate_limits.class).toBe('standard');
    const limits = new Map<string, any>(
      body.rate_limits.limits.map((row: any) => [row.class, row]),
    );
    const { limit, window_seconds, burst, burst_window_seconds } = limits.get('list');
    const { headers } = await team.get(contacts);
    expect(headers.get('ratelimit-policy')).toBe(
      `"list";q=${limit};w=${window_seconds}, "list-burst";q=${burst};w=${burst_window_seconds}`,
    );
  });

  test('the unlimited tier has neither limits nor headers', async () => {
    const team = await api.newTeam();
    const { body, headers } = await team.get('/v2/meta/capabilities');
    expect(body.rate_limits).toEqual({ class: 'unlimited', limits: [] });
    expect([headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([null, null]);
  });
});

describe('several API processes on one database', () => {
  test('admit one full burst of concurrent HTTP requests, and no more', async () => {
    const team = await api.newTeam({ tier: 'standard' });
    const { burst } = budgetOf('standard', 'read');
    const [statuses, seconds] = await secondsOf(() =>
      Promise.all(
        Array.from({ length: burst * 3 }, async (_, at) => {
          const reply = await read(team, at % 2 === 0 ? api.url : second.url);
          await reply.arrayBuffer();
          return reply.status;
        }),
      ),
    );
    const passed = statuses.filter((status) => status === 404).length;
    expect(statuses.every((status) => status === 404 || status === 429)).toBe(true);
    expect(passed).toBeGreaterThanOrEqual(Math.min(burst, burst * 3));
    expect(passed).toBeLessThanOrEqual(burst * (1 + seconds) * 1.1);
  });

  test.each(['read', 'list', 'write', 'execute', 'meta'] as const)(
    'hold the budget of %s within a tenth under an open flood',
    async (rateClass) => {
      const team = crypto.randomUUID();
      const { burst } = budgetOf('standard', rateClass);
      const both = limiters();
      const verdicts: Promise<RateDecision | undefined>[] = [];
      const [, seconds] = await secondsOf(async () => {
        // Eight bursts over a second and a half, independent of the responses.
        for (let round = 0; round < 15; round += 1) {
          for (let at = 0; at < burst; at += 1) {
            const limiter = both[at % 2];
            if (limiter) verdicts.push(limiter.take(team, 'standard', rateClass));
          }
          await pace(100);
        }
        await Promise.all(verdicts);
      });
      const answers = await Promise.all(verdicts);
      const passed = answers.filter((verdict) => verdict?.allowed).length;
      // The bucket's content and what flows in; a process holds a tenth of a burst that it leased.
      const expected = burst * (1 + seconds);
      expect(passed).toBeLessThanOrEqual(expected + 1);
      expect(passed).toBeGreaterThanOrEqual(
        (burst * (1 + 1.4) - 2 * Math.max(1, burst / 10)) * 0.9,
      );
    },
  );

  test('refuse nothing below 80 % of the limit, for any distribution over the processes', async () => {
    const team = crypto.randomUUID();
    const both = limiters();
    const { steady } = budgetOf('standard', 'write');
    // No matter how full the bucket was: the share of a minute that passes is what may be used.
    await both[0]?.take(team, 'standard', 'write');
    await api.db.look(
      (sql) => sql`
        update rate_budgets set steady_tokens = 5, burst_tokens = 5, refilled_at = clock_timestamp()
        where team_id = ${team}`,
    );
    const startedAtMs = performance.now();
    const refused: RateDecision[] = [];
    let sent = 0;
    while (performance.now() - startedAtMs < 4_000) {
      const due = ((performance.now() - startedAtMs) / 60_000) * steady * 0.8;
      for (; sent < due; sent += 1) {
        const verdict = await both[sent % 3 === 0 ? 0 : 1]?.take(team, 'standard', 'write');
        if (verdict && !verdict.allowed) refused.push(verdict);
      }
      await pace(20);
    }
    expect(sent).toBeGreaterThan(20);
    expect(refused).toEqual([]);
  });
});

test('the leased share of an idle process returns to the others', async () => {
  const team = crypto.randomUUID();
  const [limiter] = limiters();
  const { burst } = budgetOf('standard', 'read');
  const take = async (count: number) => {
    const verdicts = await Promise.all(
      Array.from({ length: count }, async () => limiter?.take(team, 'standard', 'read')),
    );
    return verdicts.filter((verdict) => verdict?.allowed).length;
  };
  await take(1);
  const { steady } = budgetOf('standard', 'read');
  expect(await steadyTokens(team)).toBeLessThanOrEqual(steady - burst / 10 + 1);
  await pace(1_050);
  await setSteadyTokens(team, 100);
  await take(1);
  // One lease more went out, and the four unused came in, less the one that passed at once.
  const left = await eventually(
    () => steadyTokens(team),
    (tokens) => tokens !== 100,
  );
  expect(left).toBe(100 - burst / 10 + 3);
});

test('after a pause a tenth of the burst passes without a wait for Postgres, and is counted', async () => {
  const team = crypto.randomUUID();
  const [real] = databases;
  if (!real) throw new Error('no database');
  let release = () => {};
  let gate = Promise.resolve();
  const limiter = createRateLimiter(
    { ...real, read: (work, options) => gate.then(() => real.read(work, options)) },
    log,
  );
  const { burst } = budgetOf('standard', 'read');
  const take = () => limiter.take(team, 'standard', 'read');
  await take();
  await pace(1_050);
  gate = new Promise<void>((resolve) => (release = resolve));
  for (let at = 0; at < burst / 10; at += 1) expect(await take()).toMatchObject({ allowed: true });
  let hasPassed = false;
  const next = take().then((verdict) => {
    hasPassed = true;
    return verdict;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(hasPassed).toBe(false);
  release();
  expect(await next).toMatchObject({ allowed: true });
  await pace(1_050);
  await setSteadyTokens(team, 100);
  await take();
  const left = await eventually(
    () => steadyTokens(team),
    (tokens) => tokens !== 100,
  );
  // A lease more went out. Its four unused tokens pay for the four that passed meanwhile; not for
  // the one that has just passed.
  expect(left).toBe(100 - burst / 10 - 1);
});

test('requests pass during an outage of Postgres, and the limit applies again after it', async () => {
  const team = crypto.randomUUID();
  let isAway = true;
  const [real] = databases;
  if (!real) throw new Error('no database');
  const database: Database = {
    ...real,
    read: (work, options) =>
      isAway ? Promise.reject(new DatabaseUnavailable('away')) : real.read(work, options),
  };
  const limiter = createRateLimiter(database, log);
  const { burst } = budgetOf('standard', 'meta');
  const passed = async () => {
    const verdicts = await Promise.all(
      Array.from({ length: burst * 20 }, () => limiter.take(team, 'standard', 'meta')),
    );
    return verdicts.filter((verdict) => verdict?.allowed).length;
  };
  expect(await passed()).toBe(burst * 20);
  isAway = false;
  expect(await passed()).toBeLessThan(burst * 3);
});
