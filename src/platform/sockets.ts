import type { Duplex, Writable } from 'node:stream';

/**
 * Waits on sockets that never reject: a reset closes a socket with an error, which `once` of
 * node:events would throw in place of the event that was waited for.
 */

/** Calls back when a socket is closed, in whichever way it ends; immediately if it is. */
export function whenClosed(socket: Duplex, release: () => void): void {
  if (socket.closed) release();
  else socket.once('close', release);
}

/** Resolves when a stream has room again, or has ended without it. */
export function drained(stream: Writable): Promise<void> {
  if (stream.destroyed || !stream.writableNeedDrain) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = () => {
      stream.off('drain', stop).off('close', stop);
      resolve();
    };
    stream.on('drain', stop).on('close', stop);
  });
}
