import { describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { readCells } from '../../../src/operations/uploads/cells.ts';
import { findRecords } from '../../../src/operations/uploads/records.ts';

/** Text with the difficult characters of CSV, and few others. */
const csvText = fc
  .array(fc.constantFrom('a', 'ß', ' ', ',', '"', '""', '\r', '\n', '\r\n', ',"', '",', '"\n'), {
    maxLength: 40,
  })
  .map((parts) => parts.join(''));

/** A file as a program writes it, with any text in its cells. */
const writtenText = fc
  .tuple(
    fc.array(
      fc.array(fc.string({ unit: fc.constantFrom('a', '€', ',', '"', '\n', '\r', ' ') }), {
        minLength: 1,
        maxLength: 4,
      }),
    ),
    fc.constantFrom('\n', '\r\n'),
    fc.boolean(),
  )
  .map(([rows, lineEnd, endsLast]) => {
    const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
    return rows.map((row) => row.map(cell).join(',')).join(lineEnd) + (endsLast ? lineEnd : '');
  });

const textsOf = (bytes: Buffer) =>
  [...findRecords(bytes, 'csv', { isLast: true })].map(({ start, end }) =>
    bytes.toString('utf8', start, end),
  );

/** CR at the end of a line belongs to its end. */
const lineEnds = Array.from({ length: 45 }, (_, at) => `${'\r'.repeat(44 - at)}\n`);
const isContent = (cell: string) => /[^ ]/.test(cell);

function byLibrary(text: string): string[][] | undefined {
  try {
    // It does so too where the file ends without LF.
    const all = parse(text.replace(/\r+$/, ''), {
      record_delimiter: lineEnds,
      relax_column_count: true,
    });
    return all.filter((cells) => cells.some(isContent));
  } catch {
    return undefined;
  }
}

describe('records and their cells are those of the library', () => {
  const check = (text: string) => {
    const expected = byLibrary(text);
    const cells = readCells(textsOf(Buffer.from(text)));
    if (expected) expect(cells).toEqual(expected);
    else expect(cells).toContain(undefined);
  };
  test('for any text', () => {
    fc.assert(fc.property(csvText, check), { numRuns: 3_000 });
  });
  test('for well-formed text', () => {
    fc.assert(fc.property(writtenText, check), { numRuns: 1_000 });
  });
});

test('records are the same wherever the file is cut into parts', () => {
  const cutText = fc.oneof(csvText, writtenText).chain((text) => {
    const bytes = Buffer.from(text);
    return fc.tuple(fc.constant(bytes), fc.integer({ min: 1, max: bytes.length + 1 }));
  });
  fc.assert(
    fc.property(
      cutText,
      fc.constantFrom('csv' as const, 'ndjson' as const),
      ([bytes, size], format) => {
        const whole = [...findRecords(bytes, format, { isLast: true })];
        const found = [];
        let from = 0;
        for (let end = size; ; end += size) {
          const isLast = end >= bytes.length;
          const part = bytes.subarray(0, end);
          for (const record of findRecords(part, format, { from, isLast })) {
            found.push(record);
            from = record.next;
          }
          if (isLast) break;
        }
        expect(found).toEqual(whole);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('every byte of a file belongs to a record or is a line end', () => {
  fc.assert(
    fc.property(csvText, (text) => {
      const bytes = Buffer.from(text);
      let at = 0;
      for (const { start, end, next } of findRecords(bytes, 'csv', { isLast: true })) {
        expect(bytes.toString('latin1', at, start)).toMatch(/^[\r\n ,"]*$/);
        expect(bytes.toString('latin1', end, next)).toMatch(/^\r*\n?$/);
        at = next;
      }
      expect(bytes.toString('latin1', at)).toMatch(/^[\r\n ,"]*$/);
    }),
  );
});

test.each([
  ['rows of delimiters only', 'a,b\r\n,,\r\n , \r\n"",""\r\n', ['a,b']],
  ['CR CR LF', 'a,b\r\r\n"c\r\r\n",d\r\r\n', ['a,b', '"c\r\r\n",d']],
  ['Ctrl-Z at the end of the file', 'a,b\r\n\x1a', ['a,b']],
  ['NUL up to the end of a block', 'a,b\n\0\0\0\0', ['a,b']],
  ['cells of a quote or a comma', '""""\n","\n,x\n', ['""""', '","', ',x']],
])('records of a file with %s', (_, text, records) => {
  expect(textsOf(Buffer.from(text))).toEqual(records);
});

test('lines of NDJSON without content are skipped', () => {
  const bytes = Buffer.from('{"a":1}\r\r\n  \n\t\r\n,\n\x1a');
  const found = [...findRecords(bytes, 'ndjson', { isLast: true })];
  const texts = found.map(({ start, end }) => bytes.toString('utf8', start, end));
  expect(texts).toEqual(['{"a":1}', ',']);
});
