import type { Config } from '../config.ts';
import { createBuckets } from './buckets.ts';
import { networkOf } from './client-address.ts';
import { fail } from './errors.ts';
import { unauthenticatedRefusals } from './metrics.ts';

/** The part of one request in the budget of its address. */
export interface AddressBudget {
  /**
   * Takes one request before anything is looked up, and returns the earlier one of the request.
   * `owner` has a separate budget at the address, which others cannot use up. Throws 429.
   */
  take(owner?: string): void;
  /** Returns it, after the caller has been authenticated. */
  giveBack(): void;
}

export interface AddressBudgets {
  /** For one request that comes from the address. */
  of(address: string): AddressBudget;
}

/**
 * Budgets by IPv4 address or IPv6 /64 in one process. They bound the work for requests before
 * authentication; limits of teams apply across processes. ADR 9a.
 */
export function createAddressBudgets(limits: Config['unauthenticated']): AddressBudgets {
  const buckets = createBuckets(limits);
  return {
    of(address) {
      const network = networkOf(address);
      let taken: string | undefined;
      const giveBack = () => {
        if (taken !== undefined) buckets.take(taken, -1);
        taken = undefined;
      };
      return {
        giveBack,
        take(owner) {
          giveBack();
          const key = owner === undefined ? network : `${network} ${owner}`;
          const waitMs = buckets.waitMs(key);
          if (waitMs > 0) throw tooMany(waitMs, limits.perSecond);
          buckets.take(key);
          taken = key;
        },
      };
    },
  };
}

function tooMany(waitMs: number, perSecond: number) {
  unauthenticatedRefusals.inc();
  const seconds = Math.ceil(waitMs / 1_000);
  return fail('rate_limited', {
    detail: 'This address sends too many unauthenticated requests.',
    meta: { class: 'address', limit: perSecond, window_seconds: 1, retry_after_seconds: seconds },
    headers: { 'Retry-After': String(seconds) },
  });
}
