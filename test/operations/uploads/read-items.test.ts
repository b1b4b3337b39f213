import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readCsvItems } from '../../../src/operations/uploads/read-items.ts';
import { trimCell } from '../../../src/operations/uploads/trim-cell.ts';
import { isBadRecord } from '../../../src/operations/runs/running/bad-record.ts';

/** Items of two cells; for a bad record the rule that it violates. */
function itemsOf(text: string): unknown[] {
  const read = ([id = '', name = '']: readonly string[]) => ({ id, name });
  return readCsvItems(Buffer.from(text), 2, read).map((item) =>
    isBadRecord(item) ? item.errors.map(({ meta }) => meta?.['rule']) : item,
  );
}

const [one, two] = [
  { id: '1', name: 'Doe' },
  { id: '2', name: 'Roe' },
];

test.each([
  ['as Python writes on Windows', '1,Doe\r\r\n2,Roe\r\r\n', [one, two]],
  ['as Python writes on Windows, with quotes', '"1","Doe"\r\r\n"2","Roe"\r\r\n', [one, two]],
  ['with rows of delimiters at the end', '1,Doe\r\n2,Roe\r\n,\r\n,\r\n', [one, two]],
  ['with a delimiter at the end of each line', '1,Doe,\r\n2,Roe,,\r\n', [one, two]],
  ['with no-break spaces and tabs around cells', '\u00a01\u00a0,Doe\t\n 2,"Roe "\n', [one, two]],
  [
    'with marks of direction and of width zero',
    '\u202a1\u202c,Doe\u200b\n\ufeff2,Roe\n',
    [one, two],
  ],
  ['with spaces up to a fixed width', '1  ,Doe       \n2  ,Roe       \n', [one, two]],
  ['with CR in a cell', '1\r,Doe\n2,Roe\n', [['line_end'], two]],
  ['with CR in a cell beside one with quotes', '"1",D\roe\n2,Roe\n', [['line_end'], two]],
  ['with CR within quotes', '1,"D\roe"\n2,Roe\n', [{ id: '1', name: 'D\roe' }, two]],
  ['that ends within its last record', '1,Doe\n2', [one, ['width']]],
  ['with content behind the last column', '1,Doe,x\n2,Roe\n', [['width'], two]],
  ['with Ctrl-Z at its end', '1,Doe\r\n2,Roe\r\n\x1a', [one, two]],
])('a file %s', (_, text, items) => {
  expect(itemsOf(text)).toEqual(items);
});

test('a cell keeps everything but its invisible ends', () => {
  const kept = fc.constantFrom('a', 'ß', '😀', '\u200d', ' ', '\u00a0');
  const inner = fc.array(kept, { maxLength: 8 }).map((parts) => `x${parts.join('')}x`);
  const ends = fc.array(
    fc.constantFrom(' ', '\t', '\u00a0', '\u200b', '\u200e', '\ufeff', '\u3000'),
  );
  fc.assert(
    fc.property(ends, inner, ends, (before, text, after) => {
      expect(trimCell(before.join('') + text + after.join(''))).toBe(text);
    }),
  );
  expect(trimCell(' \u200b ')).toBe('');
});
