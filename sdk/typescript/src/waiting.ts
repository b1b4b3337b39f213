import { OnwardError } from './errors.ts';
import type {
  BatchOperation,
  ContactErasure,
  Export,
  OperationExecution,
} from './generated/schemas.ts';
import type { Resources } from './generated/resources.ts';
import { pause, readRetryAfter, reasonOf } from './retries.ts';
import type { Answer, ApiPromise } from './types.ts';

/** Resources that end at some time, by their `type`. */
export interface Waitables {
  batch_operation: BatchOperation;
  operation_execution: OperationExecution;
  export: Export;
  contact_erasure: ContactErasure;
}

export interface WaitOptions<Resource> {
  /** 10 minutes by default; then `wait_timed_out`. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Called with each state that was read. */
  onProgress?: (resource: Resource) => void;
}

const endings: ReadonlySet<string> = new Set([
  ...['succeeded', 'succeeded_with_errors', 'failed', 'canceled', 'completed'],
]);
const firstPauseMs = 250;
const longestPauseMs = 5_000;

export interface Waiting {
  waitFor<Type extends keyof Waitables>(
    resource: { type: Type; id: string },
    options?: WaitOptions<Waitables[Type]>,
  ): Promise<Waitables[Type]>;
  notify(event: object): void;
}

export function createWaiting(resources: Resources): Waiting {
  const { batchOperations, executions, exports, contactErasures } = resources;
  const readers: { [Type in keyof Waitables]: (id: string) => ApiPromise<Waitables[Type]> } = {
    batch_operation: (id) => batchOperations.get(id),
    operation_execution: (id) => executions.get(id),
    export: (id) => exports.get(id),
    contact_erasure: (id) => contactErasures.get(id),
  };
  const sleepers = new Map<string, Set<() => void>>();

  /** Waits, but not longer than until `notify` has an event of the resource. */
  async function sleep(id: string, ms: number, signal: AbortSignal | undefined): Promise<void> {
    const wake = new AbortController();
    const stop = () => wake.abort();
    const others = sleepers.get(id) ?? new Set();
    sleepers.set(id, others.add(stop));
    signal?.addEventListener('abort', stop, { once: true });
    await pause(ms, wake.signal).catch(() => undefined);
    signal?.removeEventListener('abort', stop);
    others.delete(stop);
    if (others.size === 0) sleepers.delete(id);
    if (signal?.aborted) throw reasonOf(signal);
  }

  return {
    async waitFor({ type, id }, { timeoutMs = 600_000, signal, onProgress } = {}) {
      const endMs = Date.now() + timeoutMs;
      const read = readers[type];
      for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
        if (signal?.aborted) throw reasonOf(signal);
        const { data, response } = await read(id).withResponse();
        onProgress?.(data);
        if (endings.has(data.status)) return data;
        const leftMs = endMs - Date.now();
        if (leftMs <= 0) throw outOfTime(type, id, data.status, timeoutMs);
        await sleep(id, Math.min(nextPauseMs(response, pauseMs), leftMs), signal);
      }
    },
    notify(event) {
      for (const wake of sleepers.get(idOf(event)) ?? []) wake();
    },
  };
}

/** The service knows best; a resource without an opinion is read at growing intervals. */
function nextPauseMs(response: Answer<unknown>['response'], pauseMs: number): number {
  return readRetryAfter(response.headers, Date.now()) ?? pauseMs;
}

function outOfTime(type: string, id: string, status: string, timeoutMs: number): OnwardError {
  const waited = `${type} ${id} is still ${status} after ${String(timeoutMs)} ms.`;
  return new OnwardError('wait_timed_out', waited);
}

/** The id of what an event is about. */
function idOf(event: object): string {
  const { data }: { data?: unknown } = event;
  const { id }: { id?: unknown } = typeof data === 'object' && data ? data : {};
  return typeof id === 'string' ? id : '';
}
