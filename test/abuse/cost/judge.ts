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

const maxBlockedMs = 250;
/** The longest wait for an answer; afterwards the process is replaced. */
const patienceMs = 10_000;

/** Sends requests one at a time and checks the cost of each for the API. */
export function createJudge(watched: WatchedApi, area: string) {
  let cases = 0;
  let taken = 0;
  let maxMs = 0;

  async function send({ method, path, headers, raw }: HostileRequest) {
    const response = await fetch(`${watched.url()}${path}`, {
      ...{ method, redirect: 'manual', headers, signal: AbortSignal.timeout(patienceMs) },
      ...(raw !== undefined && { body: raw }),
    });
    const text = await response.text();
    return { status: response.status, text, bytes: Buffer.byteLength(text) };
  }

  /** The median of three where the first took too long: the machine may have been busy. */
  async function measured(request: HostileRequest) {
    const times: number[] = [];
    for (;;) {
      await watched.blockedMs();
      const reply = await send(request);
      times.push(await watched.blockedMs());
      const [first = 0, second = 0] = times.toSorted((a, b) => a - b);
      if (times.length === 1 && first <= maxBlockedMs) return { ...reply, blockedMs: first };
      if (times.length === 3) return { ...reply, blockedMs: second };
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
        `${area} cases=${String(cases)} taken=${String(taken)} longest=${longest}ms\n`,
      );
    },
  };
}

/** Runs for each endpoint; REQUEST_COST_RUNS=50 tries more. */
export const runs = { numRuns: Number(process.env['REQUEST_COST_RUNS'] ?? 3), endOnFailure: true };
