import { textOf } from './query.ts';
import type { Operation } from './operations.ts';
import type { FileLike, RequestOptions, UploadBody } from './types.ts';

type Content = string | Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/** A body that can be sent once for each try. */
export interface OutgoingBody {
  contentType: string;
  isRepeatable: boolean;
  open(): Content;
}

/** The body of a call in the form that its operation takes; undefined for none. */
export function writeBody(
  operation: Operation,
  body: unknown,
  { contentType }: RequestOptions,
): OutgoingBody | undefined {
  if (body === undefined) return undefined;
  if (operation.body === 'file') return fileOf(body, contentType);
  if (contentType !== undefined && typeof body === 'string') return contentOf(body, contentType);
  if (operation.body === 'form' || contentType === 'application/x-www-form-urlencoded') {
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries(typeof body === 'object' && body ? body : {})) {
      if (value !== undefined) form.append(name, textOf(value));
    }
    return contentOf(form.toString(), 'application/x-www-form-urlencoded');
  }
  return contentOf(JSON.stringify(body), contentType ?? 'application/json');
}

function contentOf(text: string, contentType: string): OutgoingBody {
  return { contentType, isRepeatable: true, open: () => text };
}

function fileOf(body: unknown, contentType: string | undefined): OutgoingBody {
  if (!isUpload(body)) {
    throw new TypeError('A file is text, bytes, a Blob, a stream, or what openFile() gives.');
  }
  const type = contentType ?? (isFile(body) && body.type !== '' ? body.type : 'text/csv');
  const isStream = body instanceof ReadableStream;
  const open = () => (isFile(body) && !(body instanceof Blob) ? body.stream() : body);
  return { contentType: type, isRepeatable: !isStream, open };
}

function isUpload(body: unknown): body is Exclude<UploadBody, FileLike> | FileLike | Blob {
  return (
    typeof body === 'string' ||
    body instanceof Uint8Array ||
    body instanceof ReadableStream ||
    isFile(body)
  );
}

function isFile(body: unknown): body is FileLike {
  return typeof body === 'object' && body !== null && 'stream' in body && 'type' in body;
}
