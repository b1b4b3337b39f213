// The API in its own process, as in production, which reports for how long its event loop was
// blocked, without the work of the tests.
import { readFileSync } from 'node:fs';
import { startApi } from '../../../src/app/start-api.ts';
import { loadKeyring } from '../../../src/platform/auth/key-source.ts';
import { readConfig } from '../../../src/platform/config.ts';
import { createLog } from '../../../src/platform/observability/log.ts';

const config = { ...readConfig({ development: true }), host: '127.0.0.1', port: 0 };
const { databaseUrl = '' } = config;
const api = await startApi(
  { ...config, databaseUrl },
  loadKeyring(config),
  createLog('fatal', 'api'),
);
/**
 * CPU time of the thread of the event loop, in ms. The process has more threads, which compile and
 * collect garbage while the loop goes on: they count only on systems other than Linux.
 */
function threadCpuMs(): number {
  try {
    const [ns = ''] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ');
    return Number(ns) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
}

// A loop is blocked by what it computes; the rest is the wait for a core of a busy machine. So each
// round of the loop is measured by its CPU time, and not by its length.
let computedMs = threadCpuMs();
let blockedMs = 0;
function measure(): void {
  const nowMs = threadCpuMs();
  blockedMs = Math.max(blockedMs, nowMs - computedMs);
  computedMs = nowMs;
}
// A timer that is due runs once in each round.
setInterval(measure, 1);

/** Answers a request with the longest CPU time of a round since the last request, in ms. */
process.on('message', () => {
  measure();
  process.send?.({ blockedMs });
  blockedMs = 0;
});
process.on('SIGTERM', () => {
  void api.close().finally(() => process.exit());
});
process.send?.({ url: api.url });
