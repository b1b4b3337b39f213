import { signWebhook } from '../../../typescript/src/testing.ts';
import type { DeliveredEvent } from './feed.ts';

export interface Forwarded {
  /** Status of the answer; undefined without one. */
  status?: number;
  ms: number;
  /** For people. */
  text: string;
}

/** Sends an event as a webhook. */
export async function forward(
  url: string,
  secret: string,
  event: DeliveredEvent,
): Promise<Forwarded> {
  const startedAtMs = Date.now();
  const { body, headers } = await signWebhook(event, secret);
  const request = { method: 'POST', headers, body, redirect: 'manual' } as const;
  try {
    const { status } = await fetch(url, { ...request, signal: AbortSignal.timeout(10_000) });
    const ms = Date.now() - startedAtMs;
    return { status, ms, text: `answered ${String(status)} after ${String(ms)} ms` };
  } catch (error) {
    return { ms: Date.now() - startedAtMs, text: `no answer: ${reasonOf(error)}` };
  }
}

/** The innermost cause, which names the address and what it did. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : reasonOf(error.cause);
}
