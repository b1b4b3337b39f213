import type { Socket } from 'node:net';
import { drained } from '../../platform/sockets.ts';

/** Stops a client from sending more than is processed. */
export interface Backpressure {
  enter(bytes: number): void;
  leave(bytes: number): void;
  /** Resolves when the responses have been sent, or the client has disconnected. */
  flushed(): Promise<void>;
  /** Closes the connection of a client that sends requests but does not read responses. */
  cut(): void;
}

/** Limit of unprocessed bytes from a client, and of unsent bytes for it. */
const aheadBytes = 2_097_152;

/** Stops reading from a client that sends too fast, and waits for one that does not read. */
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
      if (socket.writableLength > aheadBytes) await drained(socket);
    },
    cut: () => socket.destroy(),
  };
}
