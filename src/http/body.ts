import type { IncomingMessage } from 'node:http';
import { fail } from './errors.ts';

export type MediaType = 'application/json' | 'application/x-www-form-urlencoded' | 'text/plain';

/** Refuses a body of another media type before a byte of it is read (415). */
export function checkMediaType(request: IncomingMessage, ...expected: readonly MediaType[]): void {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw fail('unsupported_media_type', {
      detail: 'Content-Encoding is not supported; send the body as it is.',
    });
  }
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').split(';');
  const charset = parameters.find((parameter) => /^\s*charset=/i.test(parameter));
  const isUtf8 = charset === undefined || /^\s*charset="?utf-?8"?\s*$/i.test(charset);
  const given = type.trim().toLowerCase();
  if (!expected.some((one) => one === given) || !isUtf8) {
    throw fail('unsupported_media_type', {
      detail: `Send Content-Type: ${expected.join(' or ')} in UTF-8.`,
      meta: { expected: expected.length === 1 ? expected[0] : expected },
    });
  }
}

/** True when the request announces a body. */
export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return (
    request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
  );
}

/** Reads the raw bytes, at most `limitBytes`; more is 413 and the connection is closed. */
export function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const tooLarge = () =>
    fail('payload_too_large', {
      detail: `The body is larger than ${String(limitBytes)} bytes.`,
      meta: { limit_bytes: limitBytes },
      headers: { Connection: 'close' },
    });
  if (Number(request.headers['content-length'] ?? 0) > limitBytes)
    return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limitBytes) {
        request.removeAllListeners('data');
        request.resume();
        reject(tooLarge());
      } else {
        chunks.push(chunk);
      }
    });
    request.on('end', () => {
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size));
    });
    request.on('error', () => {
      reject(fail('invalid_request', { detail: 'The body was cut off.' }));
    });
  });
}
