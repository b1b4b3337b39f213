import type { Socket } from 'node:net';
import type { Egress, FileServer } from '../../../platform/egress/client.ts';
import { createCancellation } from '../../../platform/cancellation.ts';
import { Interrupted } from '../../../platform/temporal/interrupted.ts';
import { failures } from './failure.ts';
import type { FetchLimits } from './rules.ts';

/** A file on its server, open to be read. */
export interface RemoteFile {
  content: AsyncIterable<Uint8Array>;
  /** As the server reports. */
  sizeBytes: number | undefined;
}

/** One attempt to fetch: what ends it early, and the connection that ends with it. */
export interface FetchScope {
  connect(server: FileServer): Promise<Socket>;
  /** Returns the result of the work; throws as soon as the attempt is interrupted. */
  during<T>(work: Promise<T>): Promise<T>;
  interrupt(reason: Error): void;
  /** The work of opening a file, within its limit of time. */
  opening<T>(work: () => Promise<T>): Promise<T>;
  /** The content of a file, within the limits of time and bytes, to its end. */
  read(file: RemoteFile): AsyncGenerator<Uint8Array>;
  close(): void;
}

export function createScope(
  egress: Egress,
  limits: FetchLimits,
  stopping: AbortSignal,
): FetchScope {
  const interruption = createCancellation();
  const sockets = new Set<Socket>();
  let isClosed = false;
  const stop = () => interruption.interrupt(new Interrupted('the worker stops'));
  stopping.addEventListener('abort', stop, { once: true });
  if (stopping.aborted) stop();

  /** Interrupts unless the work is done in time. */
  async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
    const timer = setTimeout(() => interruption.interrupt(failures.tooSlow(what)), ms);
    try {
      return await interruption.during(work);
    } finally {
      clearTimeout(timer);
    }
  }
  const limit = setTimeout(
    () => interruption.interrupt(failures.tooSlow('took too long for the file')),
    limits.totalMs,
  );

  return {
    connect(server) {
      const connecting = egress.connect(server).then((socket) => {
        sockets.add(socket);
        if (isClosed) socket.destroy();
        return socket;
      });
      return interruption.during(connecting);
    },
    during: interruption.during,
    interrupt: interruption.interrupt,
    opening: (work) => within(limits.openMs, 'did not open the file in time', work()),
    async *read({ content, sizeBytes }) {
      if (sizeBytes !== undefined && sizeBytes > limits.fileBytes) {
        throw failures.tooLarge(limits.fileBytes);
      }
      const iterator = content[Symbol.asyncIterator]();
      let received = 0;
      for (;;) {
        const next = await within(limits.idleMs, 'sent nothing for too long', iterator.next());
        if (next.done) break;
        received += next.value.length;
        if (received > limits.fileBytes) throw failures.tooLarge(limits.fileBytes);
        yield next.value;
      }
      if (sizeBytes !== undefined && received !== sizeBytes) throw failures.incomplete();
    },
    close() {
      isClosed = true;
      clearTimeout(limit);
      stopping.removeEventListener('abort', stop);
      for (const socket of sockets) socket.destroy();
    },
  };
}
