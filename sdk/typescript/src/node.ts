import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import type { FileLike } from './types.ts';

const types: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.ndjson': 'application/x-ndjson',
  '.jsonl': 'application/x-ndjson',
};

/** A file of this machine to upload; it is read while it is sent, and again for another try. */
export async function openFile(path: string): Promise<FileLike> {
  const { size } = await stat(path);
  return {
    size,
    type: types[extname(path).toLowerCase()] ?? 'text/csv',
    stream: () => webStream(path),
  };
}

function webStream(path: string): ReadableStream<Uint8Array> {
  const file = createReadStream(path);
  const chunks: AsyncIterator<Uint8Array> = Readable.from(file)[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    cancel() {
      file.destroy();
    },
  });
}
