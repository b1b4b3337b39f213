import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { createBuckets } from '../../../src/platform/http/buckets.ts';
import { createRateLimiter, rateBudgets } from '../../../src/platform/http/rate-limit.ts';
import { createLog } from '../../../src/platform/observability/log.ts';
import { useTestApi } from '../../support/use-test-api.ts';

interface Limits {
  burst: number;
  perSecond: number;
}

/** The formula of both token buckets: the level grows with time, up to the burst. */
const refilled = ({ burst, perSecond }: Limits, level: number, elapsedMs: number) =>
  Math.min(burst, level + (elapsedMs / 1_000) * perSecond);

describe('the buckets in memory', () => {
  let nowMs = 0;
  beforeEach(() => {
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test('follow the formula, for tokens taken, returned and waited for', () => {
    const limits = fc.record({
      burst: fc.integer({ min: 3, max: 500 }),
      perSecond: fc.double({ min: 0.05, max: 1_000, noNaN: true }),
    });
    const step = fc.record({
      elapsedMs: fc.integer({ min: 0, max: 5_000 }),
      tokens: fc.constantFrom(1, 0.1, 3, -1),
    });
    fc.assert(
      fc.property(limits, fc.array(step, { maxLength: 60 }), (given, steps) => {
        nowMs = 1_000_000;
        const buckets = createBuckets(given);
        let level = given.burst;
        for (const { elapsedMs, tokens } of steps) {
          nowMs += elapsedMs;
          level = refilled(given, level, elapsedMs);
          const missing = Math.max(0, tokens - level);
          const waitMs = buckets.waitMs('key', tokens);
          expect(Math.abs(waitMs - (missing * 1_000) / given.perSecond)).toBeLessThan(0.01);
          buckets.take('key', tokens);
          level = Math.min(given.burst, level - tokens);
        }
      }),
    );
  });
});

describe('the buckets in Postgres', () => {
  const api = useTestApi();

  test('follow the formula, for each level and age of both buckets', async () => {
    const log = createLog('silent', 'test');
    const { burst, steady } = rateBudgets.execute;
    const second = { burst, perSecond: burst };
    const minute = { burst: steady, perSecond: steady / 60 };
    const state = fc.record({
      ofSecond: fc.double({ min: 0, max: burst, noNaN: true }),
      ofMinute: fc.double({ min: 0, max: steady, noNaN: true }),
      elapsedMs: fc.integer({ min: 0, max: 90_000 }),
    });
    await fc.assert(
      fc.asyncProperty(state, async ({ ofSecond, ofMinute, elapsedMs }) => {
        const teamId = crypto.randomUUID();
        const startedAtMs = performance.now();
        await api.db.look(
          (sql) => sql`
            insert into rate_budgets (team_id, class, burst_tokens, steady_tokens, refilled_at)
            values (${teamId}, 'execute', ${ofSecond}, ${ofMinute},
              clock_timestamp() - ${elapsedMs}::float8 * interval '1 ms')`,
        );
        const limiter = createRateLimiter(api.db.database, log);
        const verdict = await limiter.take(teamId, 'standard', 'execute');
        const [row] = await api.db.look(
          (sql) => sql<{ burst_tokens: number; steady_tokens: number }[]>`
            select burst_tokens, steady_tokens from rate_budgets where team_id = ${teamId}`,
        );
        // The statements take time themselves, in which the buckets fill as well.
        const tookMs = performance.now() - startedAtMs;
        const taken = verdict?.allowed ? 1 : 0;
        const expectLevel = (left: number | undefined, limits: Limits, level: number) => {
          const before = (left ?? NaN) + taken;
          expect(before).toBeGreaterThanOrEqual(refilled(limits, level, elapsedMs) - 0.001);
          expect(before).toBeLessThanOrEqual(refilled(limits, level, elapsedMs + tookMs) + 0.001);
        };
        expectLevel(row?.burst_tokens, second, ofSecond);
        expectLevel(row?.steady_tokens, minute, ofMinute);
        const least = (ms: number) =>
          Math.min(refilled(second, ofSecond, ms), refilled(minute, ofMinute, ms));
        if (least(elapsedMs) >= 1) expect(taken).toBe(1);
        if (least(elapsedMs + tookMs) < 1) expect(taken).toBe(0);
      }),
      { numRuns: 40 },
    );
  });
});
