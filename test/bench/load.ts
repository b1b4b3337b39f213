import autocannon from 'autocannon';
import { Pool } from 'undici';
import { pause, percentile } from '../world/moments.ts';

export interface Request {
  method: 'GET' | 'POST' | 'PATCH';
  url: string;
  headers: Readonly<Record<string, string>>;
  /** The variable part of each request. */
  each?: () => { path?: string; headers?: Readonly<Record<string, string>>; body: string };
}

export interface LoadResult {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/** So many callers, each with one request under way, for a while or for a number of requests. */
export async function callInALoop(
  { method, url, headers, each }: Request,
  how: { callers: number; seconds?: number; amount?: number },
  onAnswer: (text: string) => void = () => undefined,
): Promise<LoadResult> {
  const { callers, seconds, amount } = how;
  const startedAt = performance.now();
  let answeredAt = startedAt;
  const result = await autocannon({
    url,
    connections: callers,
    ...(amount === undefined ? { duration: seconds ?? 1 } : { amount }),
    requests: [
      {
        method,
        headers: { ...headers },
        ...(each && {
          setupRequest(request) {
            const own = each();
            const { path = request.path, body } = own;
            return { ...request, path, body, headers: { ...headers, ...own.headers } };
          },
        }),
        onResponse: (_status, text) => {
          answeredAt = performance.now();
          onAnswer(text);
        },
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(
      `${method} ${url}: ${String(result.non2xx)} refused, ${String(result.errors)} failed`,
    );
  }
  const total = result['2xx'];
  return {
    // The duration of the library is in whole seconds.
    perSecond: total / ((answeredAt - startedAt) / 1_000),
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  };
}

/**
 * So many requests a second, each at its time, independent of earlier results. Latencies are from
 * the time at which a request was due: a late one counts its delay.
 */
export async function callAtARate(
  { method, url, headers, each }: Request,
  how: { perSecond: number; amount: number },
  /** Told the answer, and when the request was due, in epoch milliseconds. */
  onAnswer: (text: string, dueAtMs: number) => void,
): Promise<{ failed: number; p50Ms: number; p99Ms: number }> {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: 64, pipelining: 1 });
  const underWay = new Set<Promise<void>>();
  const latencies: number[] = [];
  let failed = 0;
  const startedAt = performance.now();
  async function call(dueAt: number) {
    try {
      const own = each?.();
      const { statusCode, body: answer } = await pool.request({
        ...{ method, path: own?.path ?? pathname, body: own?.body ?? null },
        headers: { ...headers, ...own?.headers },
      });
      const text = await answer.text();
      if (statusCode >= 300) failed += 1;
      else onAnswer(text, performance.timeOrigin + dueAt);
      latencies.push(performance.now() - dueAt);
    } catch {
      failed += 1;
    }
  }
  for (let sent = 0; sent < how.amount;) {
    const due = Math.min(how.amount, ((performance.now() - startedAt) / 1_000) * how.perSecond);
    for (; sent < due; sent += 1) {
      const one = call(startedAt + (sent / how.perSecond) * 1_000).finally(() =>
        underWay.delete(one),
      );
      underWay.add(one);
    }
    await pause(1);
  }
  await Promise.all(underWay);
  await pool.destroy();
  return { failed, p50Ms: percentile(latencies, 0.5), p99Ms: percentile(latencies, 0.99) };
}
