import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parsePieces } from '../../../src/platform/http/json-pieces.ts';

// JSON that is read in pieces, to let others have their turn, is what JSON.parse reads at once.

function inPieces(text: string, pieceLength: number): unknown {
  const steps = parsePieces(text, () => undefined, pieceLength);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

function resultOf(read: () => unknown): unknown {
  try {
    return { value: read() };
  } catch (error) {
    // JSON.parse throws that of another realm.
    if (String(error).startsWith('SyntaxError')) return 'malformed';
    throw error;
  }
}

const names = fc.constantFrom('a', '"', '\\', '__proto__', '1', '', ' b ', ',', ']', '{');
const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom<unknown>(0, -1.5e-7, true, null, '', '\\"', '[{,:', '\u0000\ud800', [], {}),
    fc.string(),
    fc.string({
      unit: fc.constantFrom('\\', '"', '\n', '\u0001', 'a', '\ud83d', '😀'),
      maxLength: 90,
    }),
    fc.array(tie('value')),
    fc.dictionary(names, tie('value')),
  ),
}));
const spaces = fc.constantFrom('', ' ', '\n\t', '\r\n  ');
const texts = fc.tuple(values, spaces, spaces).map(([value, indent, around]) => {
  const text = JSON.stringify(value, undefined, indent.replaceAll('\r', '').length);
  return `${around}${text}${around}`;
});
const lengths = fc.integer({ min: 0, max: 60 });

test('valid JSON is read as by JSON.parse, with pieces of any length', () => {
  fc.assert(
    fc.property(texts, lengths, (text, length) => {
      const read = inPieces(text, length);
      expect(read).toStrictEqual(JSON.parse(text));
      // toStrictEqual does not compare the order of names.
      expect(JSON.stringify(read)).toBe(JSON.stringify(JSON.parse(text)));
    }),
    { numRuns: 3_000 },
  );
});

test('text with a fault is malformed for both, or valid for both with the same value', () => {
  const faults = fc.constantFrom(
    '',
    ',',
    '[',
    ']',
    '{',
    '}',
    '"',
    ':',
    '\\',
    ' ',
    '1',
    'x',
    'null',
  );
  const places = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(texts, lengths, faults, places, fc.nat(2), (text, length, fault, place, cut) => {
      const at = Math.floor(place * text.length);
      const spoiled = `${text.slice(0, at)}${fault}${text.slice(at + cut)}`;
      expect(resultOf(() => inPieces(spoiled, length))).toStrictEqual(
        resultOf(() => JSON.parse(spoiled)),
      );
    }),
    { numRuns: 5_000 },
  );
});

test('each piece with a rare escape is checked once, with the place of its items', () => {
  const seen: string[] = [];
  const steps = parsePieces(
    '{"a":[1,22,["x\\u0000",4444]],"b":"1\\ud83d\\ude001","c":"\\u0041\\n"}',
    (value, path, first) => {
      const place = `${path.join('.')} ${first === undefined ? '' : String(first)}`;
      seen.push(`${place} ${JSON.stringify(value)}`);
    },
    12,
  );
  while (!steps.next().done);
  expect(seen).toEqual(['a.2 0 ["x\\u0000"]', 'b  "1😀1"']);
});
