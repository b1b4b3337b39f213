import { connect } from 'node:net';
import type { Socket } from 'node:net';

export interface RawReply {
  /** 0 where the connection closed without an answer. */
  status: number;
  headers: Headers;
  body: any;
}

/**
 * Sends bytes as they are and reads one answer, at most `timeoutMs`. A function writes for itself
 * and receives a `signal` that aborts when the answer has begun.
 */
export function sendRaw(
  url: string,
  content: string | Uint8Array | ((socket: Socket, signal: AbortSignal) => Promise<void>),
  timeoutMs = 5_000,
): Promise<RawReply> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const answered = new AbortController();
    let received = Buffer.alloc(0);
    const deadline = AbortSignal.timeout(timeoutMs);
    deadline.addEventListener('abort', () => {
      socket.destroy();
      reject(new Error(`no answer within ${String(timeoutMs)} ms: ${received.toString()}`));
    });
    const finish = () => {
      answered.abort();
      socket.destroy();
      try {
        resolve(parse(received));
      } catch (error) {
        reject(new Error(`no HTTP: ${received.toString().slice(0, 500)}`, { cause: error }));
      }
    };
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      answered.abort();
      if (isWhole(received)) finish();
    });
    socket.on('end', finish);
    socket.on('close', finish);
    // A reset after the answer is no news; one without it shows as status 0.
    socket.on('error', () => undefined);
    socket.on('connect', () => {
      if (typeof content === 'function') content(socket, answered.signal).catch(reject);
      else socket.write(content);
    });
  });
}

function split(bytes: Buffer): [head: string, body: string] | undefined {
  const text = bytes.toString('latin1').replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
  const at = text.indexOf('\r\n\r\n');
  return at < 0 ? undefined : [text.slice(0, at), text.slice(at + 4)];
}

function isWhole(bytes: Buffer): boolean {
  const [head, body = ''] = split(bytes) ?? [];
  const length = /^content-length: (\d+)$/im.exec(head ?? '')?.[1];
  return length !== undefined && body.length >= Number(length);
}

function parse(bytes: Buffer): RawReply {
  const [head = '', body = ''] = split(bytes) ?? [];
  const [line = '', ...lines] = head.split('\r\n');
  const headers = new Headers();
  for (const text of lines) {
    const at = text.indexOf(':');
    headers.append(text.slice(0, at), text.slice(at + 1).trim());
  }
  const own = body.slice(0, Number(headers.get('content-length') ?? body.length));
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false;
  return {
    status: Number(line.split(' ')[1] ?? 0),
    headers,
    body: isJson ? JSON.parse(own) : own,
  };
}
