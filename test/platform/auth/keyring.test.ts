import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  newKeyFile,
  openKeyring,
  parseKeyFile,
  rotateKeyFile,
} from '../../../src/platform/auth/keyring.ts';

const file = newKeyFile();
const keyring = openKeyring(file);
const place = ['webhook_secrets', 'sealed_secret', 'team', 'row'];

/** The sealed text with one bit of one byte turned. */
function turnBit(sealed: string, at: number, bit: number): string {
  const [id, text = ''] = sealed.split('.');
  const bytes = Buffer.from(text, 'base64');
  const index = at % bytes.length;
  bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
  return `${String(id)}.${bytes.toString('base64')}`;
}

describe('a sealed value', () => {
  test('opens to the original text, and differs at each sealing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (plain) => {
        const sealed = keyring.seal(plain, place);
        expect(keyring.open(sealed, place)).toBe(plain);
        expect(keyring.seal(plain, place)).not.toBe(sealed);
      }),
    );
  });

  test('does not open when any bit of it was changed', () => {
    const sealed = keyring.seal('a secret', place);
    fc.assert(
      fc.property(fc.nat(), fc.nat(7), (at, bit) => {
        expect(() => keyring.open(turnBit(sealed, at, bit), place)).toThrow();
      }),
    );
  });

  test.each([0, 1, 11, 12, 20, 27, 28])('does not open when only %i bytes are left', (length) => {
    const [id, text = ''] = keyring.seal('a secret', place).split('.');
    const short = Buffer.from(text, 'base64').subarray(0, length).toString('base64');
    expect(() => keyring.open(`${String(id)}.${short}`, place)).toThrow();
  });

  test('does not open in another row, team, column or table', () => {
    const sealed = keyring.seal('a secret', place);
    for (let at = 0; at < place.length; at += 1) {
      expect(() => keyring.open(sealed, place.with(at, 'other'))).toThrow();
    }
    expect(() => keyring.open(sealed, place.slice(0, -1))).toThrow();
  });

  test('does not open without its key, or under another key of the same id', () => {
    const sealed = keyring.seal('a secret', place);
    expect(() => openKeyring(newKeyFile()).open(sealed, place)).toThrow('not configured');
    const forged = newKeyFile();
    forged.envelope = [{ id: keyring.envelopeKeyId, key: forged.envelope[0]?.key ?? '' }];
    expect(() => openKeyring(forged).open(sealed, place)).toThrow();
    expect(() => keyring.open('nothing sealed', place)).toThrow();
  });

  test('still opens after a rotation, and new ones use the new key', () => {
    const sealed = keyring.seal('a secret', place);
    const rotated = openKeyring(rotateKeyFile(file, 'envelope'));
    expect(rotated.open(sealed, place)).toBe('a secret');
    const anew = rotated.seal('a secret', place);
    expect([rotated.sealedWith(sealed), rotated.sealedWith(anew)]).toEqual([
      keyring.envelopeKeyId,
      rotated.envelopeKeyId,
    ]);
    expect(rotated.envelopeKeyId).not.toBe(keyring.envelopeKeyId);
    expect(() => keyring.open(anew, place)).toThrow('not configured');
  });
});

describe('a pepper', () => {
  test('makes equal digests of equal secrets, and different digests of different secrets', () => {
    const { keyId, digest } = keyring.digest('pepper', 'secret');
    expect(keyring.digest('pepper', 'secret').digest).toEqual(digest);
    expect(keyring.digest('pepper', 'secreT').digest).not.toEqual(digest);
    const rotated = openKeyring(rotateKeyFile(file, 'pepper'));
    expect(rotated.digest('pepper', 'secret').digest).not.toEqual(digest);
    expect(rotated.digest('pepper', 'secret', keyId).digest).toEqual(digest);
    expect(() => keyring.digest('pepper', 'secret', 'gone')).toThrow('not configured');
  });
});

test.each([
  ['nothing', ''],
  ['an empty list', JSON.stringify({ ...file, pepper: [] })],
  ['a list missing', JSON.stringify({ envelope: file.envelope })],
  ['an id with a dot', JSON.stringify({ ...file, cursor: [{ id: 'a.b', key: 'x' }] })],
])('keys with %s are refused', (_, text) => {
  expect(() => parseKeyFile(text)).toThrow(/^the keys/);
});

test('a key that is not 32 bytes is refused', () => {
  const short = { ...file, envelope: [{ id: 'short', key: Buffer.alloc(16).toString('base64') }] };
  expect(() => openKeyring(short)).toThrow('the key short must be 32 bytes');
});
