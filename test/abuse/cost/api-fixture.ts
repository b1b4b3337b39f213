// The API in its own process, as in production, which reports for how long its event loop was
// blocked, without the work of the tests.
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startApi } from '../../../src/app/start-api.ts';
import { loadKeyring } from '../../../src/platform/auth/key-source.ts';
import { readConfig } from '../../../src/platform/config.ts';
import { createLog } from '../../../src/platform/observability/log.ts';

const resolution = 5;
const config = { ...readConfig({ development: true }), host: '127.0.0.1', port: 0 };
const { databaseUrl = '' } = config;
const api = await startApi(
  { ...config, databaseUrl },
  loadKeyring(config),
  createLog('fatal', 'api'),
);
const delay = monitorEventLoopDelay({ resolution });
delay.enable();
let computedMs = threadCpuMs();

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

/** Answers a request with the longest blocked time since the last request, in ms, and resets it. */
process.on('message', () => {
  // The timer of the monitor fires before the second of them.
  setImmediate(() => {
    setImmediate(() => {
      const beforeMs = computedMs;
      computedMs = threadCpuMs();
      const heldUpMs = delay.count === 0 ? 0 : delay.max / 1e6 - resolution;
      // A loop is blocked by what it computes; the rest is the wait for a core of a busy machine.
      const blockedMs = Math.min(heldUpMs, computedMs - beforeMs);
      delay.reset();
      process.send?.({ blockedMs });
    });
  });
});
process.on('SIGTERM', () => {
  void api.close().finally(() => process.exit());
});
process.send?.({ url: api.url });
