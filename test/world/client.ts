import { pause } from './moments.ts';

export interface Reply {
  /** 0 when the connection failed, -1 when there was no answer in time. */
  status: number;
  body: any;
  ms: number;
}

export interface Call {
  token?: string;
  key?: string;
  json?: unknown;
  form?: Record<string, string>;
  /** JSON as it is sent, where its bytes are signed. */
  bytes?: string;
  headers?: Readonly<Record<string, string>>;
  /** When no answer is waited for any more; 15 s unless given. */
  withinMs?: number;
}

const answerWithinMs = 15_000;
const persistForMs = 90_000;

/** One request, with any outcome. */
export async function send(base: string, method: string, path: string, call: Call = {}) {
  const startedAt = performance.now();
  const reply = (status: number, body?: unknown): Reply => {
    return { status, body, ms: performance.now() - startedAt };
  };
  const headers = {
    ...(call.token !== undefined && { Authorization: `Bearer ${call.token}` }),
    ...(call.key !== undefined && { 'Idempotency-Key': call.key }),
    ...((call.json ?? call.bytes) !== undefined && { 'Content-Type': 'application/json' }),
    ...call.headers,
  };
  const content = call.form
    ? new URLSearchParams(call.form)
    : (call.bytes ?? JSON.stringify(call.json));
  try {
    const response = await fetch(`${base}${path}`, {
      method,
      headers,
      signal: AbortSignal.timeout(call.withinMs ?? answerWithinMs),
      ...(content !== undefined && { body: content }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return reply(response.status, isJson ? JSON.parse(text) : text);
  } catch (error) {
    return reply(error instanceof Error && error.name === 'TimeoutError' ? -1 : 0);
  }
}

/** A response that only requests a retry. */
function mayBeRepeated({ status, body }: Reply): boolean {
  if (status <= 0 || status === 503 || status === 429) return true;
  return status === 409 && body?.errors?.[0]?.code === 'idempotency_in_progress';
}

/**
 * A request as a careful client makes it: repeated with the same key, through one process and the
 * other in turn, until there is an answer. Returns the last reply when there was none for long.
 */
export async function persist(
  bases: readonly string[],
  first: number,
  method: string,
  path: string,
  call: Call,
): Promise<Reply> {
  const until = performance.now() + persistForMs;
  for (let tries = 0; ; tries += 1) {
    const base = bases[(first + tries) % bases.length] ?? '';
    const reply = await send(base, method, path, call);
    if (!mayBeRepeated(reply) || performance.now() > until) return reply;
    const waitMs = (reply.body?.errors?.[0]?.meta?.retry_after_seconds ?? 0) * 1_000;
    await pause(waitMs + Math.min(1_000, 50 * 2 ** tries) * (0.5 + Math.random() / 2));
  }
}
