import type { IncomingMessage } from 'node:http';
import { createCancellation } from '../cancellation.ts';
import type { Cancellation } from '../cancellation.ts';
import { HttpError, fail } from './errors.ts';

export type MediaType =
  | 'application/json'
  | 'application/x-ndjson'
  | 'application/x-www-form-urlencoded'
  | 'multipart/form-data'
  | 'text/csv'
  | 'text/plain';

/** A streamed body must deliver this many bytes in each such period. */
const paceMs = 30_000;
const paceBytes = 16_384;

/** Returns the media type of a body; rejects any other before a byte of it is read (415). */
export function checkMediaType(
  request: IncomingMessage,
  ...expected: readonly MediaType[]
): MediaType {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw fail('unsupported_media_type', {
      detail: 'Content-Encoding is not supported; send the body unencoded.',
    });
  }
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').split(';');
  const charset = parameters.find((parameter) => /^\s*charset=/i.test(parameter));
  const isUtf8 = charset === undefined || /^\s*charset="?utf-?8"?\s*$/i.test(charset);
  const given = type.trim().toLowerCase();
  const found = expected.find((one) => one === given);
  if (found === undefined || !isUtf8) {
    throw fail('unsupported_media_type', {
      detail: `Send Content-Type: ${expected.join(' or ')} in UTF-8.`,
      meta: { expected: expected.length === 1 ? expected[0] : expected },
    });
  }
  return found;
}

/** True when the request announces a body. */
export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return (
    request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
  );
}

/** Refuses a body that announces more than `limitBytes` (413). */
function checkLength(request: IncomingMessage, limitBytes: number): void {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
}

/** The rest of such a body is discarded (listen.ts). */
export function tooLarge(limitBytes: number) {
  return fail('payload_too_large', {
    detail: `The body is larger than ${String(limitBytes)} bytes.`,
    meta: { limit_bytes: limitBytes },
  });
}

const cutOff = () => fail('invalid_request', { detail: 'The body ended early.' });
const tooSlow = () =>
  fail('request_timeout', {
    detail: 'The body was sent too slowly.',
    headers: { Connection: 'close' },
  });

/** Reads the raw bytes, at most `limitBytes` (413) within `timeoutMs` (408). */
export async function readBody(
  request: IncomingMessage,
  limitBytes: number,
  timeoutMs: number,
): Promise<Buffer> {
  checkLength(request, limitBytes);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = (error: Error) => {
      clearTimeout(timer);
      request.removeAllListeners('data');
      request.resume();
      reject(error);
    };
    const timer = setTimeout(() => {
      stop(tooSlow());
    }, timeoutMs);
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limitBytes) stop(tooLarge(limitBytes));
      else chunks.push(chunk);
    });
    request.on('end', () => {
      clearTimeout(timer);
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size));
    });
    request.on('error', () => {
      stop(cutOff());
    });
  });
}

/**
 * Yields the bytes of the body, no faster than they are read. Throws 413 above `limitBytes`, before
 * reading if the announced length exceeds it. Throws 408 for a body that stalls.
 */
export function streamBody(
  request: IncomingMessage,
  limitBytes: number,
): AsyncIterable<Uint8Array> & { readonly sizeBytes: number } {
  checkLength(request, limitBytes);
  let sizeBytes = 0;
  async function* read(): AsyncGenerator<Uint8Array> {
    const pace = watchPace(() => sizeBytes);
    // The response needs the connection, so the end of the iterator must not destroy it.
    const chunks = request.iterator({ destroyOnReturn: false });
    try {
      for (;;) {
        const next: IteratorResult<unknown, unknown> = await pace.during(chunks.next());
        if (next.done === true) return;
        const { value } = next;
        if (!(value instanceof Uint8Array)) throw new Error('a body is read as bytes');
        sizeBytes += value.length;
        if (sizeBytes > limitBytes) throw tooLarge(limitBytes);
        yield value;
      }
    } catch (error) {
      throw error instanceof HttpError ? error : cutOff();
    } finally {
      pace.stop();
      // The listener of the iterator would prevent the rest of a rejected body from being
      // discarded.
      chunks.return?.().catch(() => undefined);
      request.resume();
    }
  }
  return {
    [Symbol.asyncIterator]: read,
    get sizeBytes() {
      return sizeBytes;
    },
  };
}

/** Ends every wait when less than a trickle has come for a while. */
function watchPace(sizeBytes: () => number): Pick<Cancellation, 'during'> & { stop(): void } {
  let paced = 0;
  const loss = createCancellation();
  const timer = setInterval(() => {
    if (sizeBytes() - paced < paceBytes) loss.interrupt(tooSlow());
    paced = sizeBytes();
  }, paceMs);
  return {
    during: loss.during,
    stop() {
      clearInterval(timer);
    },
  };
}

const [plus, space] = [0x2b, 0x20];

/**
 * The fields of an `application/x-www-form-urlencoded` body. The parser of Node.js takes 0.2 s for a
 * megabyte of `+`, and 10 ms for as many spaces, which mean the same.
 */
export function parseForm(bytes: Uint8Array): URLSearchParams {
  const spaced = Buffer.from(bytes);
  for (let at = 0; at < spaced.length; at += 1) {
    if (spaced[at] === plus) spaced[at] = space;
  }
  return new URLSearchParams(spaced.toString('utf8'));
}
