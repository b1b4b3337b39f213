import { createBuckets } from '../../platform/http/buckets.ts';
import { networkOf } from '../../platform/http/client-address.ts';
import { fail } from '../../platform/http/errors.ts';
import { rateBudgets, tiers } from '../../platform/http/rate-limit.ts';

const { burst, steady } = rateBudgets.token;
const windows = [
  createBuckets({ burst, perSecond: burst }),
  createBuckets({ burst: steady, perSecond: steady / 60 }),
];

/**
 * Takes a token request from the budget of a client at an address. The budget is per process, since
 * the endpoint occupies a connection that a shared budget would wait for. Throws 429.
 */
export function spendTokenRequest(client: { id: string; tier: string }, address: string): void {
  const key = `${client.id} ${networkOf(address)}`;
  const tokens = 1 / (tiers[client.tier] ?? 1);
  const waitMs = Math.max(...windows.map((window) => window.waitMs(key, tokens)));
  if (waitMs === 0) {
    for (const window of windows) window.take(key, tokens);
    return;
  }
  const seconds = Math.ceil(waitMs / 1_000);
  throw fail('rate_limited', {
    detail: 'The client requests too many tokens. A token is valid for an hour.',
    meta: { class: 'token', limit: steady, window_seconds: 60, retry_after_seconds: seconds },
    headers: { 'Retry-After': String(seconds) },
  });
}
