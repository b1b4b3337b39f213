import type { Socket } from 'node:net';

const longestHead = 16_384;

/**
 * Removes interim responses from what is read of a socket: a client takes any 1xx, asked for or not
 * (RFC 9110 §15.2), while undici closes the connection at a 100. The function that it returns is to
 * be called before each request.
 */
export function skipInterim(socket: Socket): () => void {
  const read: (size?: number) => Buffer | null = socket.read.bind(socket);
  let isHead = true;
  let held: Buffer = Buffer.alloc(0);
  socket.read = (size?: number) => {
    for (;;) {
      const chunk: Buffer | null = read(size);
      if (chunk === null || !isHead) return chunk;
      held = withoutInterim(Buffer.concat([held, chunk]));
      if (mayBeInterim(textOf(held)) && held.length <= longestHead) continue;
      isHead = false;
      const rest = held;
      held = Buffer.alloc(0);
      return rest;
    }
  };
  return () => {
    isHead = true;
  };
}

function withoutInterim(bytes: Buffer): Buffer {
  let rest = bytes;
  while (isInterim(textOf(rest))) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return rest;
    rest = rest.subarray(end + 4);
  }
  return rest;
}

const example = 'HTTP/1.1 100';
const textOf = (bytes: Buffer) => bytes.toString('latin1', 0, example.length);
/** Any 1xx but the change of protocol, which ends the connection. */
const isInterim = (text: string) => /^HTTP\/1\.[01] 1(?!01)\d\d$/.test(text);
/** Whether more bytes decide if it is one, or where it ends. */
const mayBeInterim = (text: string) => isInterim(text + example.slice(text.length));
