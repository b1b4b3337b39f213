import type { Socket } from 'node:net';
import { Client } from 'undici';
import { EgressError, exchangeFailure } from './failure.ts';

/** A response whose body is read as it arrives. */
export interface Download {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Throws EgressError where it breaks off. */
  body: AsyncIterable<Buffer>;
}

const MAX_HEADER_BYTES = 16_384;

/**
 * Sends a GET over a connection that is used for nothing else. The caller sets the limits of time
 * and bytes, and ends the request by destroying the socket. Redirects are returned.
 */
export async function download(
  socket: Socket,
  { origin, pathname, search }: URL,
  headers: string[],
): Promise<Download> {
  let isUsed = false;
  const client = new Client(origin, {
    pipelining: 1,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(_options, callback) {
      const isOpen = !isUsed && !socket.destroyed;
      isUsed = true;
      // undici sends nothing over a connection that it has before it waits for one.
      queueMicrotask(() => {
        if (isOpen) callback(null, socket);
        else callback(new EgressError('connection_reset', 'the connection was cut'), null);
      });
    },
  });
  socket.once('close', () => {
    client.destroy().catch(() => undefined);
  });
  try {
    const answer = await client.request({ method: 'GET', path: pathname + search, headers });
    // A body without a reader, such as that of a rejection, may be cut off too.
    answer.body.on('error', () => undefined);
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: classified(answer.body),
    };
  } catch (error) {
    throw exchangeFailure(error);
  }
}

async function* classified(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    throw exchangeFailure(error);
  }
}
