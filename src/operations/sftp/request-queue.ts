import type { SFTPWrapper } from 'ssh2';
import { isUnavailable } from '../../platform/database/failures.ts';
import type { Log } from '../../platform/observability/log.ts';
import { createSerialQueue } from '../../platform/serial-queue.ts';
import type { Backpressure } from './backpressure.ts';
import { Refusal, codes } from './refusal.ts';
import type { Code } from './refusal.ts';

/** Sends the response to a request. */
export type Answer = () => void;

/** The requests of a session. */
export interface RequestQueue {
  /** Processes a request after all earlier ones. `bytes` is the size of its data. */
  add(id: number, bytes: number, work: () => Answer | Promise<Answer>): void;
  /**
   * Time of the last request; undefined while one is in progress. Waiting for the client to read is
   * no progress.
   */
  idleSinceMs(): number | undefined;
  /** Drops the requests that wait, and resolves when the current one has ended. */
  stop(): Promise<void>;
}

/** Limit of responses that wait for the client's window; normal clients need fewer at a time. */
const maxUnsent = 512;
/** Memory of a request in addition to its data. */
const requestBytes = 1_024;

export const status =
  (sftp: SFTPWrapper, id: number, code: Code, message = ''): Answer =>
  () => {
    sftp.status(id, code, message);
  };

/**
 * Processes the requests of a client one by one, in their order. Writes then arrive in order, and a
 * client occupies one task at a time.
 */
export function createRequestQueue(
  sftp: SFTPWrapper,
  backpressure: Backpressure,
  log: Log,
): RequestQueue {
  let isWorking = false;
  let lastAtMs = Date.now();
  let isStopped = false;
  const queue = createSerialQueue((error) => {
    log.warn({ err: error }, 'an SFTP response could not be sent');
    backpressure.cut();
  });

  async function answerTo(id: number, work: () => Answer | Promise<Answer>): Promise<Answer> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Refusal) return status(sftp, id, error.code, error.message);
      log.error({ err: error }, 'an SFTP request failed');
      const detail = isUnavailable(error)
        ? 'Nothing can be stored at the moment; try again.'
        : 'That failed; try again.';
      return status(sftp, id, codes.failure, detail);
    }
  }

  async function process(id: number, work: () => Answer | Promise<Answer>): Promise<void> {
    if (isStopped) return;
    isWorking = true;
    try {
      const answer = await answerTo(id, work);
      answer();
    } finally {
      isWorking = false;
      lastAtMs = Date.now();
    }
    if (unsentOf(sftp) > maxUnsent) backpressure.cut();
    await backpressure.flushed();
  }

  return {
    add(id, bytes, work) {
      const weight = bytes + requestBytes;
      backpressure.enter(weight);
      queue.add(() => process(id, work).finally(() => backpressure.leave(weight)));
    },
    idleSinceMs: () => (isWorking ? undefined : lastAtMs),
    stop() {
      isStopped = true;
      return queue.ended();
    },
  };
}

/** The library has no public count of the bytes that it buffers. */
function unsentOf(sftp: SFTPWrapper): number {
  const unsent: unknown = Reflect.get(sftp, '_buffer');
  return Array.isArray(unsent) ? unsent.length : 0;
}
