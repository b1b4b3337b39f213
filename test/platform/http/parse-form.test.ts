import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseForm } from '../../../src/platform/http/body.ts';

test('a form has the fields that the WHATWG parser finds in it', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
    fc.constantFrom('+', '%2B', '%20', ' ', '%', '=', '&', '%C3%A4', '%FF', '?'),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join('');
      expect([...parseForm(Buffer.from(text))]).toEqual([...new URLSearchParams(text)]);
    }),
  );
});
