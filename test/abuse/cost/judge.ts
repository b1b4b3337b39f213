import { expect } from '@jest/globals';
import { maxErrorBytes } from '../../../src/platform/http/errors.ts';
import type { WatchedApi } from './watched-api.ts';

export interface HostileRequest {
  name: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  raw?: string | undefined;
}

const maxBlockedMs = 50;
const maxTries = 5;
/** The longest wait for an answer; afterwards the process is replaced. */
const patienceMs = 10_000;

/** Sends requests one at a time and checks the cost of each for the API. */
export function createJudge(watched: WatchedApi, area: string) {
  let cases = 0;
  let taken = 0;
  let maxMs = 0;
  let retried = 0;

  async function send({ method, path, headers, raw }: HostileRequest) {
    const response = await fetch(`${watched.url()}${path}`, {
      ...{ method, redirect: 'manual', headers, signal: AbortSignal.timeout(patienceMs) },
      ...(raw !== undefined && { body: raw }),
    });
    const text = await response.text();
    return { status: response.status, text, bytes: Buffer.byteLength(text) };
  }

  /** The least of five where the first took too long: a busy machine makes all others longer. */
  async function measured(request: HostileRequest) {
    let least = Infinity;
    for (let tries = 1; ; tries += 1) {
      await watched.blockedMs();
      const reply = await send(request);
      least = Math.min(least, await watched.blockedMs());
      if (least <= maxBlockedMs || tries === maxTries) return { ...reply, blockedMs: least };
      if (tries === 1) retried += 1;
    }
  }

  return {
    /** Returns the answer. */
    async expectCheap(request: HostileRequest): Promise<{ status: number; text: string }> {
      cases += 1;
      const { name, raw = '' } = request;
      const reply = await measured(request).catch(async (error: unknown) => {
        await watched.replace();
        throw new Error(`there is no answer to ${name}`, { cause: error });
      });
      const { status, text, bytes, blockedMs } = reply;
      maxMs = Math.max(maxMs, blockedMs);
      if (status < 400) taken += 1;
      const seen = { name, status, bytes, blockedMs, sent: raw.length };
      expect({ ...seen, isCheap: blockedMs <= maxBlockedMs }).toEqual({ ...seen, isCheap: true });
      expect({ ...seen, isOurFault: status >= 500 }).toEqual({ ...seen, isOurFault: false });
      if (status >= 400) {
        expect({ ...seen, isShort: bytes <= maxErrorBytes }).toEqual({ ...seen, isShort: true });
      }
      return { status, text };
    },
    cases: () => cases,
    report() {
      const longest = String(Math.round(maxMs));
      process.stdout.write(
        `${area} cases=${String(cases)} taken=${String(taken)} longest=${longest}ms retried=${String(retried)}\n`,
      );
    },
  };
}

/** Runs for each endpoint; REQUEST_COST_RUNS=50 tries more. */
export const runs = { numRuns: Number(process.env['REQUEST_COST_RUNS'] ?? 3), endOnFailure: true };
