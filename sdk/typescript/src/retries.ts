const firstDelayMs = 500;
const longestDelayMs = 8_000;
/** A service that asks for a longer pause is left to the caller. */
const longestPauseMs = 60_000;

/** Statuses after which the service has done nothing. */
const refusals: ReadonlySet<number> = new Set([429, 503]);
const failures: ReadonlySet<number> = new Set([408, 500, 502, 504]);

/** Whether another try may help, and does no harm. */
export function isWorthRepeating(status: number, code: string, isSafe: boolean): boolean {
  if (refusals.has(status)) return true;
  // The try before is still at work.
  if (code === 'idempotency_in_progress') return true;
  return isSafe && failures.has(status);
}

/**
 * Milliseconds before the next try, the first being 1: what the service asks for, or longer each time
 * with jitter, so that clients do not return together. Undefined where it asks for too long.
 */
export function delayBefore(
  retry: number,
  askedMs: number | undefined,
  random: number,
): number | undefined {
  if (askedMs !== undefined && askedMs > longestPauseMs) return undefined;
  const backoffMs = Math.min(firstDelayMs * 2 ** (retry - 1), longestDelayMs);
  const jitteredMs = backoffMs * (0.5 + random / 2);
  // Jitter after what the service asks for, never before.
  return askedMs === undefined ? jitteredMs : askedMs + random * 250;
}

/** `Retry-After` in milliseconds, from seconds or a date. */
export function readRetryAfter(headers: Headers, nowMs: number): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  const dateMs = Date.parse(text);
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}

/** Waits; rejects with the reason of the signal when it aborts. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(reasonOf(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

export function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error('The call was canceled.', { cause: reason });
}
