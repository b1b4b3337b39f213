import { LRUCache } from 'lru-cache';
import { createBatcher } from '../batching/batcher.ts';
import type { Database } from '../database/client.ts';
import type { Sql } from '../database/sql.ts';
import type { Log } from '../observability/log.ts';

/** Rate-limit classes. */
export type RateClass =
  | 'meta'
  | 'read'
  | 'list'
  | 'insights'
  | 'write'
  | 'execute'
  | 'bulk'
  | 'inbound'
  | 'exchange'
  | 'widget'
  | 'session'
  | 'token';

interface Budget {
  /** Requests at most in one second. */
  burst: number;
  /** Requests at most in one minute. */
  steady: number;
}

/**
 * Budgets of the standard tier, per team; of `inbound` per receiver, of `widget` per widget and of
 * `session` per session of a recipient, of `token` per client and address. ADR 9.
 */
export const rateBudgets: Readonly<Record<RateClass, Budget>> = {
  meta: { burst: 5, steady: 60 },
  read: { burst: 50, steady: 1_500 },
  list: { burst: 20, steady: 600 },
  insights: { burst: 3, steady: 60 },
  write: { burst: 25, steady: 750 },
  execute: { burst: 10, steady: 150 },
  bulk: { burst: 5, steady: 60 },
  inbound: { burst: 200, steady: 6_000 },
  exchange: { burst: 50, steady: 1_500 },
  widget: { burst: 50, steady: 1_500 },
  session: { burst: 5, steady: 60 },
  token: { burst: 5, steady: 30 },
};

/** Contract tiers: factor on every budget. `unlimited` is for tests and benchmarks. */
export const tiers: Readonly<Record<string, number>> = {
  standard: 1,
  plus: 4,
  enterprise: 10,
  unlimited: Infinity,
};

export function budgetOf(tier: string, rateClass: RateClass): Budget {
  const factor = tiers[tier] ?? 1;
  const { burst, steady } = rateBudgets[rateClass];
  return { burst: burst * factor, steady: steady * factor };
}

export interface RateDecision {
  allowed: boolean;
  limit: number;
  /** Requests left in the minute, as estimated by this process. */
  remaining: number;
  /** Seconds until the budget grows again. */
  resetSeconds: number;
}

export interface RateLimiter {
  /** Takes one request from the budget of its owner; undefined when the tier has no limits. */
  take(ownerId: string, tier: string, rateClass: RateClass): Promise<RateDecision | undefined>;
}

interface Lease {
  tokens: number;
  /** Tokens left when the last lease expired, less those taken since; the next renewal returns them. */
  unused: number;
  /** Requests that may pass after the lease has expired, before it is renewed. */
  advance: number;
  /** Requests that wait for the current renewal. */
  waiting: number;
  remaining: number;
  /** After a rejection, no new lease is requested before this time. */
  retryAtMs: number;
  /** Unused tokens expire, so that an idle process does not hoard the budget. */
  expiresAtMs: number;
  renewal: Promise<void> | undefined;
}

interface GrantRow {
  granted: number;
  burst: number;
  steady: number;
}

const leaseMs = 1_000;
const renewalDeadlineMs = 1_000;
/** Leases that one statement renews. */
const maxRenewals = 500;
/** Owners that a process caches, since recipients change often. */
const maxLeases = 50_000;

/**
 * Two token buckets per team and class (a second, a minute) in Postgres, shared by all processes. A
 * process leases a tenth of the burst at a time, or as many tokens as requests wait, so that a
 * request rarely writes. Where more than half of both buckets is left, a tenth of the burst may pass
 * while the lease is renewed: the first request after a pause does not wait. When Postgres is
 * unavailable, requests pass.
 */
export function createRateLimiter(database: Database, log: Log): RateLimiter {
  const leases = new LRUCache<string, Lease>({ max: maxLeases });
  const leaseTogether = createBatcher(
    (_, requests: readonly LeaseRequest[]) =>
      database.read((sql) => leaseAll(sql, requests), { deadlineMs: renewalDeadlineMs }),
    { atOnce: 1, maxItems: maxRenewals, maxWaitMs: renewalDeadlineMs },
  );

  async function renew(lease: Lease, teamId: string, rateClass: RateClass, budget: Budget) {
    const share = Math.floor(budget.burst / 10);
    const requested = Math.max(lease.waiting, share);
    const { unused } = lease;
    const request = { teamId, rateClass, budget, requested, unused };
    try {
      const grant = await leaseTogether('', request);
      lease.tokens = grant?.granted ?? requested;
      lease.remaining = Math.max(0, Math.floor(grant?.steady ?? budget.steady));
      const { burst = 1, steady = 1 } = grant ?? {};
      const waitSeconds = Math.max((1 - burst) / budget.burst, (1 - steady) / (budget.steady / 60));
      const isAmple = burst > budget.burst / 2 && steady > budget.steady / 2;
      lease.advance = isAmple ? share : 0;
      lease.retryAtMs = lease.tokens > 0 ? 0 : performance.now() + waitSeconds * 1_000;
    } catch (error) {
      log.warn({ err: error }, 'rate limits cannot be checked; requests pass');
      lease.tokens = requested;
      lease.retryAtMs = 0;
    }
    lease.unused -= unused;
    lease.expiresAtMs = performance.now() + leaseMs;
  }

  return {
    async take(teamId, tier, rateClass) {
      const budget = budgetOf(tier, rateClass);
      if (budget.burst === Infinity) return undefined;
      const key = keyOf({ teamId, rateClass });
      let lease = leases.get(key);
      if (!lease) {
        lease = {
          tokens: 0,
          unused: 0,
          advance: 0,
          waiting: 0,
          remaining: budget.steady,
          retryAtMs: 0,
          expiresAtMs: 0,
          renewal: undefined,
        };
        leases.set(key, lease);
      }
      // Others may have used up the awaited lease: repeat until tokens are granted or refused.
      for (;;) {
        const now = performance.now();
        if (lease.expiresAtMs < now && !lease.renewal) {
          lease.unused += lease.tokens;
          lease.tokens = 0;
        }
        if (lease.tokens > 0 || lease.retryAtMs > now) break;
        const isInAdvance = lease.advance > 0 && lease.expiresAtMs < now;
        if (isInAdvance) {
          lease.advance -= 1;
          lease.unused -= 1;
          lease.tokens += 1;
        } else lease.waiting += 1;
        lease.renewal ??= renew(lease, teamId, rateClass, budget).finally(() => {
          lease.renewal = undefined;
        });
        if (isInAdvance) break;
        await lease.renewal;
        lease.waiting -= 1;
      }
      const allowed = lease.tokens > 0;
      if (allowed) lease.tokens -= 1;
      const resetMs = allowed ? 60_000 / budget.steady : lease.retryAtMs - performance.now();
      return {
        allowed,
        limit: budget.steady,
        remaining: allowed ? lease.remaining + lease.tokens : 0,
        resetSeconds: Math.max(1, Math.ceil(resetMs / 1_000)),
      };
    },
  };
}

interface LeaseRequest {
  teamId: string;
  rateClass: RateClass;
  budget: Budget;
  requested: number;
  unused: number;
}

/** The grant of each request; undefined where its budget is gone meanwhile. */
async function leaseAll(
  sql: Sql,
  requests: readonly LeaseRequest[],
): Promise<(GrantRow | undefined)[]> {
  const granted = await leaseTokens(sql, requests);
  const missing = requests.filter((request) => !granted.has(keyOf(request)));
  if (missing.length > 0) {
    await insertBudgets(sql, missing);
    for (const [key, grant] of await leaseTokens(sql, missing)) granted.set(key, grant);
  }
  return requests.map((request) => granted.get(keyOf(request)));
}

async function leaseTokens(
  sql: Sql,
  requests: readonly LeaseRequest[],
): Promise<Map<string, GrantRow>> {
  const column = <T>(valueOf: (request: LeaseRequest) => T) => requests.map(valueOf);
  // The age is computed in place, twice: after a wait for the lock, Postgres recomputes selected
  // columns, but not a row joined to them. The time would count double. Locks are taken in one
  // order, so that two processes cannot deadlock.
  const rows = await sql<(GrantRow & { team_id: string; class: RateClass })[]>`
    with refilled as (
      select r.team_id, r.class, q.requested,
        least(q.burst, r.burst_tokens + q.unused + q.burst *
          greatest(0, extract(epoch from clock_timestamp() - r.refilled_at))) as burst,
        least(q.steady, r.steady_tokens + q.unused + q.steady / 60 *
          greatest(0, extract(epoch from clock_timestamp() - r.refilled_at))) as steady
      from unnest(${column(({ teamId }) => teamId)}::uuid[],
        ${column(({ rateClass }) => rateClass)}::text[],
        ${column(({ budget }) => budget.burst)}::float8[],
        ${column(({ budget }) => budget.steady)}::float8[],
        ${column(({ requested }) => requested)}::float8[],
        ${column(({ unused }) => unused)}::float8[])
        as q (team_id, class, burst, steady, requested, unused)
      join rate_budgets r on r.team_id = q.team_id and r.class = q.class
      order by r.team_id, r.class
      for update of r
    ),
    granted as (
      select *, greatest(0, least(requested, floor(burst), floor(steady))) as tokens
      from refilled
    )
    update rate_budgets r
    set burst_tokens = granted.burst - granted.tokens,
      steady_tokens = granted.steady - granted.tokens,
      refilled_at = clock_timestamp()
    from granted
    where r.team_id = granted.team_id and r.class = granted.class
    returning r.team_id, r.class, granted.tokens as granted, r.burst_tokens as burst,
      r.steady_tokens as steady`;
  return new Map(
    rows.map(({ team_id, class: rateClass, ...grant }) => [
      keyOf({ teamId: team_id, rateClass }),
      grant,
    ]),
  );
}

async function insertBudgets(sql: Sql, requests: readonly LeaseRequest[]): Promise<void> {
  const column = <T>(valueOf: (request: LeaseRequest) => T) => requests.map(valueOf);
  await sql`
    insert into rate_budgets (team_id, class, burst_tokens, steady_tokens, refilled_at)
    select *, clock_timestamp()
    from unnest(${column(({ teamId }) => teamId)}::uuid[],
      ${column(({ rateClass }) => rateClass)}::text[],
      ${column(({ budget }) => budget.burst)}::float8[],
      ${column(({ budget }) => budget.steady)}::float8[])
    on conflict do nothing`;
}

const keyOf = ({ teamId, rateClass }: Pick<LeaseRequest, 'teamId' | 'rateClass'>) =>
  `${teamId} ${rateClass}`;

/** Headers of the current IETF draft (RateLimit header fields for HTTP). */
export function rateLimitHeaders(tier: string, rateClass: RateClass, decision: RateDecision) {
  const { burst, steady } = budgetOf(tier, rateClass);
  return {
    'RateLimit-Policy': `"${rateClass}";q=${String(steady)};w=60, "${rateClass}-burst";q=${String(burst)};w=1`,
    RateLimit: `"${rateClass}";r=${String(decision.remaining)};t=${String(decision.resetSeconds)}`,
  };
}
