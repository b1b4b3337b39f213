import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { chunksOf } from '../../../src/operations/uploads/split-into-chunks.ts';
import type { Place, PlannedChunk } from '../../../src/operations/uploads/split-into-chunks.ts';
import { findRecords } from '../../../src/operations/uploads/records.ts';

/** Plans a file window by window, as the worker does, each time from what is known of the last. */
function plan(bytes: Buffer, windowBytes: number): PlannedChunk[] {
  const chunks: PlannedChunk[] = [];
  let searched = 0;
  for (;;) {
    const last = chunks.at(-1);
    const place: Place = {
      offset: Math.max(searched, last ? last.byte_offset + last.byte_length : 0),
      index: last ? last.first_index + last.item_count : 0,
    };
    const end = Math.min(place.offset + windowBytes, bytes.length);
    const isLast = end >= bytes.length;
    const found = chunksOf(bytes.subarray(place.offset, end), 'csv', place, isLast);
    chunks.push(...found.chunks);
    if (isLast) return chunks;
    if (found.chunks.length === 0) searched = found.end;
  }
}

describe('a plan', () => {
  const rows = fc
    .array(fc.tuple(fc.integer({ min: 0, max: 200 }), fc.boolean()), {
      minLength: 0,
      maxLength: 3_000,
    })
    .map((all) =>
      all
        .map(([size, isQuoted], at) => {
          const text = `${String(at)},${'x'.repeat(size)}`;
          return isQuoted ? `"${text}\n"` : text;
        })
        .join('\r\n'),
    );

  test('holds every record once and in order, wherever the windows end', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 300_000, max: 900_000 }), (text, windowBytes) => {
        const bytes = Buffer.from(text);
        const records = [...findRecords(bytes, 'csv', { isLast: true })];
        const chunks = plan(bytes, windowBytes);
        let index = 0;
        for (const chunk of chunks) {
          expect(chunk.first_index).toBe(index);
          expect(chunk.item_count).toBeLessThanOrEqual(500);
          const slice = bytes.subarray(chunk.byte_offset, chunk.byte_offset + chunk.byte_length);
          const within = [...findRecords(slice, 'csv', { isLast: true })];
          expect(within.map(({ start, end }) => slice.toString('utf8', start, end))).toEqual(
            records
              .slice(index, index + chunk.item_count)
              .map(({ start, end }) => bytes.toString('utf8', start, end)),
          );
          index += chunk.item_count;
        }
        expect(index).toBe(records.length);
      }),
      { numRuns: 50 },
    );
  });

  test('goes on behind more empty lines than a record may have', () => {
    const bytes = Buffer.from(`${',,\r\n'.repeat(100_000)}a,b,c\r\n`);
    const place = { offset: 7, index: 3 };
    const before = chunksOf(bytes.subarray(0, 300_000), 'csv', place, false);
    expect(before).toEqual({ chunks: [], end: 300_007 });
    expect(plan(bytes, 300_000)).toMatchObject([{ first_index: 0, item_count: 1 }]);
  });

  test('is refused with the index of a record that is too long', () => {
    const text = `a,b\r\n"${'x'.repeat(300_000)}`;
    expect(() => chunksOf(Buffer.from(text), 'csv', { offset: 0, index: 0 }, false)).toThrow(
      /index 1 is longer/,
    );
    expect(() => chunksOf(Buffer.from(text), 'csv', { offset: 0, index: 0 }, true)).toThrow(
      /index 1 is longer/,
    );
  });
});
