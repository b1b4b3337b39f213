import { expect, test } from '@jest/globals';
import { searchFor } from '../../src/contacts/contact-erasures/sweeping/identity.ts';

const email = 'ada@xn--bcher-kva.example';
const identity = { emails: [email], phones: ['+493012345678'], keys: ['Jürgen "7"'] };

const forms = [
  email,
  'ada@bücher.example',
  'ADA@BÜCHER.example',
  'ada@bu\u0308cher.example',
  String.raw`{"email":"ada@b\u00fccher.example"}`,
  String.raw`{"email":"ada@b\u00FCcher.example"}`,
  encodeURIComponent('ada@bücher.example'),
  '+493012345678',
];

test.each(forms)('a copy with %s is found', (text) => {
  expect(searchFor([identity]).isIn(`before ${text} after`)).toBe(true);
});

test.each(['ada@buecher.example', 'lada@bücher.exam', '+4930123'])('%s is nobody’s', (text) => {
  expect(searchFor([identity]).isIn(text)).toBe(false);
});

test('the database searches for keys as JSON has them, also with ASCII alone', () => {
  expect(searchFor([identity]).needles).toEqual(
    expect.arrayContaining([
      'ada@bücher.example',
      String.raw`ada@b\u00fccher.example`,
      String.raw`"Jürgen \"7\""`,
      String.raw`"J\u00fcrgen \"7\""`,
    ]),
  );
});
