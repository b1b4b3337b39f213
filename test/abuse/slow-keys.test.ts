import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { readPublicKey } from '../../src/operations/sftp-credentials/key-pairs.ts';

/** A part of a key in the form of OpenSSH, with its length in front. */
function partOf(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** A public key of so many bits; nobody has its private half. */
function rsaKeyOf(bits: number): string {
  const modulus = randomBytes(bits / 8);
  modulus[0] = 0x80 | (modulus[0] ?? 0);
  modulus[modulus.length - 1] = 1 | (modulus.at(-1) ?? 0);
  const parts = [
    Buffer.from('ssh-rsa'),
    Buffer.from([1, 0, 1]),
    Buffer.concat([Buffer.of(0), modulus]),
  ];
  return `ssh-rsa ${Buffer.concat(parts.map(partOf)).toString('base64')}`;
}

test('a key with which every login computes for seconds is refused', () => {
  for (const bits of [4_096, 8_192])
    expect(readPublicKey(rsaKeyOf(bits))).toHaveProperty('key_type');
  for (const bits of [8_200, 16_384]) {
    expect(readPublicKey(rsaKeyOf(bits))).toEqual({
      rule: 'max',
      problem: 'must have at most 8192 bits',
    });
  }
});
