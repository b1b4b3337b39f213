import { once } from 'node:events';
import type { Socket } from 'node:net';

/** Keeps a client from sending more than is worked on. */
export interface Backpressure {
  enter(bytes: number): void;
  leave(bytes: number): void;
  /** Resolves when what was answered has gone out, or the client is gone. */
  flushed(): Promise<void>;
  /** Ends the connection of a client that asks and does not listen. */
  cut(): void;
}

/** What a client may have sent that is not worked on, and what may lie unsent for it. */
const aheadBytes = 2_097_152;

/** Stops reading from a client that is ahead of us, and waits for one that does not read. */
export function backpressureOf(socket: Socket): Backpressure {
  let ahead = 0;
  return {
    enter(bytes) {
      ahead += bytes;
      if (ahead > aheadBytes) socket.pause();
    },
    leave(bytes) {
      ahead -= bytes;
      if (ahead <= aheadBytes / 2 && socket.isPaused()) socket.resume();
    },
    async flushed() {
      if (socket.destroyed || socket.writableLength <= aheadBytes) return;
      const either = new AbortController();
      const { signal } = either;
      await Promise.race([once(socket, 'drain', { signal }), once(socket, 'close', { signal })]);
      // The other one listens no longer.
      either.abort();
    },
    cut: () => socket.destroy(),
  };
}
