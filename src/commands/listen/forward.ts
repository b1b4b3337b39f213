import { askLocal } from '../../local/call.ts';
import { keyOf, signedHeaders } from '../../webhooks/webhook-subscriptions/secrets.ts';
import type { Event } from './feed.ts';

/** Sends an event as a webhook; returns a description of the outcome. */
export async function forward(url: string, secret: string, event: Event): Promise<string> {
  const startedAtMs = Date.now();
  const body = JSON.stringify(event);
  const signed = signedHeaders([keyOf(secret)], event.id, Math.floor(startedAtMs / 1_000), body);
  const headers = {
    'content-type': 'application/json',
    'webhook-event-type': event.type,
    ...signed,
  };
  try {
    const { status } = await askLocal(url, { headers, body });
    return `answered ${String(status)} after ${String(Date.now() - startedAtMs)} ms`;
  } catch (error) {
    return `no answer: ${reasonOf(error)}`;
  }
}

/** The innermost cause, which names the address and what it did. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : reasonOf(error.cause);
}
