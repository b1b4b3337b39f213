import { randomUUID } from 'node:crypto';
import { createTokenCaller } from '../../support/token-caller.ts';
import type { Report } from '../report.ts';
import type { Stand } from '../stand.ts';

const samples = 20_000;
/** Fewer than are braked, of each of the two clients. */
const fromOneAddress = 8;
/** Below this two series of measurements are taken for one. */
const sameBelow = 4.5;
/** A longer response is due to the machine, and not to the secret. */
const outlierMs = 20;

/**
 * Compares the time of a wrong secret for a client and for an unknown client: an attacker that
 * measures must not learn which clients there are. Welch's t over answers in turn.
 */
export async function secrets(stand: Stand, report: Report): Promise<void> {
  const { clientId } = await stand.newTeam();
  const series = { known: [] as number[], unknown: [] as number[] };
  const before = series.known;
  for (let address = 0; before.length < samples; address += 1) {
    const caller = createTokenCaller(stand.base, addressOf(address));
    const clients = { known: clientId, unknown: randomUUID() };
    try {
      // The first call opens the connection.
      await caller.ask({ client_id: randomUUID(), client_secret: 'wrong' });
      for (let turn = 0; turn < fromOneAddress; turn += 1) {
        const order = (['known', 'unknown'] as const).toSorted(() => Math.random() - 0.5);
        for (const kind of order) {
          const startedAt = performance.now();
          await caller.ask({ client_id: clients[kind], client_secret: randomUUID() });
          series[kind].push(performance.now() - startedAt);
        }
      }
    } finally {
      caller.end();
    }
    if (address % 250 === 249)
      stand.note(`secrets: ${String(before.length)} of ${String(samples)}`);
  }
  const { t, differenceMs } = compared(series.known, series.unknown);
  report.add('secrets.difference', { value: differenceMs * 1_000, unit: 'µs' });
  report.add(
    'secrets.welch_t',
    { value: Math.abs(t), unit: '' },
    { of: 'value', atMost: sameBelow },
  );
}

/** Addresses of the loopback network, one after the other. */
function addressOf(place: number): string {
  return `127.1.${String(Math.floor(place / 250))}.${String((place % 250) + 1)}`;
}

function compared(one: readonly number[], other: readonly number[]) {
  const [a, b] = [momentsOf(one), momentsOf(other)];
  const differenceMs = a.mean - b.mean;
  return { differenceMs, t: differenceMs / Math.sqrt(a.ofMean + b.ofMean) };
}

function momentsOf(all: readonly number[]) {
  const values = all.filter((value) => value < outlierMs);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance =
    values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return { mean, ofMean: variance / values.length };
}
