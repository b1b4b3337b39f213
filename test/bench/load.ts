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
    perSecond: total / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  };
}

/** So many requests a second, each at its time, independent of earlier results. */
export async function callAtARate(
  { method, url, headers, each }: Request,
  how: { perSecond: number; amount: number },
  onAnswer: (text: string) => void,
): Promise<{ failed: number; p50Ms: number; p99Ms: number }> {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: 64, pipelining: 1 });
  const underWay = new Set<Promise<void>>();
  const latencies: number[] = [];
  let failed = 0;
  const startedAt = performance.now();
  async function call() {
    const sentAt = performance.now();
    try {
      const own = each?.();
      const { statusCode, body: answer } = await pool.request({
        ...{ method, path: own?.path ?? pathname, body: own?.body ?? null },
        headers: { ...headers, ...own?.headers },
      });
      const text = await answer.text();
      if (statusCode >= 300) failed += 1;
      else onAnswer(text);
      latencies.push(performance.now() - sentAt);
    } catch {
      failed += 1;
    }
  }
  for (let sent = 0; sent < how.amount;) {
    const due = Math.min(how.amount, ((performance.now() - startedAt) / 1_000) * how.perSecond);
    for (; sent < due; sent += 1) {
      const one = call().finally(() => underWay.delete(one));
      underWay.add(one);
    }
    await pause(1);
  }
  await Promise.all(underWay);
  await pool.destroy();
  return { failed, p50Ms: percentile(latencies, 0.5), p99Ms: percentile(latencies, 0.99) };
}
