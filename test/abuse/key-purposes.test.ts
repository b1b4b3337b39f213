import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import {
  keyListNames,
  newKeyFile,
  openKeyring,
  rotateKeyFile,
} from '../../src/platform/auth/keyring.ts';
import type { DigestPurpose, KeyFile, Keyring } from '../../src/platform/auth/keyring.ts';
import { confirmationUrl, readConfirmationToken } from '../../src/messaging/confirming/token.ts';
import { linkToken, readLinkToken } from '../../src/messaging/journey-link.ts';
import { readTrackedPath, trackedUrls } from '../../src/messaging/tracking/token.ts';
import { choiceUrls, readChoiceToken } from '../../src/messaging/unsubscribing/token.ts';
import { newFormToken, readFormToken } from '../../src/widget/forms/token.ts';

const file = newKeyFile();
const ids = { team_id: randomUUID(), id: randomUUID() };
const sent = { ...ids, inserted_at: '2026-05-04T03:02:01.123Z' };
const base = 'https://onward.example';
const lastPart = (url: string) => url.slice(url.lastIndexOf('/') + 1);

/** Makes and reads a secret of each purpose. */
const kinds: Readonly<
  Record<string, { make(keys: Keyring): string; reads(keys: Keyring, text: string): boolean }>
> = {
  journey_link: {
    make: (keys) => linkToken(keys, { ...ids, link_generation: 1 }),
    reads: (keys, text) => readLinkToken(keys, text) !== undefined,
  },
  unsubscribe: {
    make: (keys) => lastPart(choiceUrls(base, keys, ids).unsubscribe_url),
    reads: (keys, text) => readChoiceToken(keys, text) !== undefined,
  },
  tracking: {
    make: (keys) =>
      lastPart(trackedUrls({ baseUrl: base }, keys, sent).click('https://shop.example/')),
    reads: (keys, text) => readTrackedPath(keys, `/t/c/${text}`, { kind: 'service' }) !== undefined,
  },
  confirmation: {
    make: (keys) => lastPart(confirmationUrl(base, keys, { ...ids, digest: Buffer.alloc(16) })),
    reads: (keys, text) => readConfirmationToken(keys, text) !== undefined,
  },
  form: {
    make: (keys) => newFormToken(keys, { pageId: ids.id, formKey: 'f' }, Date.now()),
    reads: (keys, text) => readFormToken(keys, text, Date.now()) !== undefined,
  },
  temporal_codec: {
    make: (keys) => {
      const { keyId, sealed } = keys.sealPayload(Buffer.from('text'));
      return `${keyId} ${sealed.toString('base64')}`;
    },
    reads: (keys, text) => {
      const [keyId = '', sealed = ''] = text.split(' ');
      try {
        return keys.openPayload(keyId, Buffer.from(sealed, 'base64')).toString() === 'text';
      } catch {
        return false;
      }
    },
  },
};
const purposes = keyListNames.filter(
  (name) => name !== 'envelope' && name !== 'cursor' && name !== 'temporal_codec',
);

/** The file with a fresh key instead of every one of a list. */
const retired = (list: keyof KeyFile): KeyFile => ({ ...file, [list]: newKeyFile()[list] });

test('a leaked pepper of client secrets creates no link, and its removal leaves every sent link valid', () => {
  const keys = openKeyring(file);
  const without = openKeyring(retired('pepper'));
  for (const [kind, { make, reads }] of Object.entries(kinds)) {
    if (kind === 'temporal_codec') continue;
    const text = make(keys);
    expect([kind, reads(without, text)]).toEqual([kind, true]);
    const [prefix, , name = ''] = text.split('~');
    const { keyId, digest } = keys.digest('pepper', name);
    const forged = `${String(prefix)}~${keyId}~${name}~${digest.subarray(0, 16).toString('base64url')}`;
    expect([kind, reads(keys, forged)]).toEqual([kind, false]);
  }
});

test('one kind of link is retired and the other kinds remain valid', () => {
  const keys = openKeyring(file);
  for (const name of Object.keys(kinds)) {
    const list = keyListNames.find((known) => known === name) ?? 'pepper';
    const rotated = openKeyring(rotateKeyFile(file, list));
    const without = openKeyring(retired(list));
    for (const [kind, { make, reads }] of Object.entries(kinds)) {
      expect([name, kind, reads(rotated, make(keys))]).toEqual([name, kind, true]);
      expect([name, kind, reads(without, make(keys))]).toEqual([name, kind, kind !== name]);
    }
  }
});

test('the same bytes in two lists are two different keys', () => {
  const same = Object.fromEntries(keyListNames.map((name) => [name, file.envelope]));
  const keys = openKeyring({ ...file, ...same });
  const digests = purposes.map((purpose) =>
    keys.digest(purpose satisfies DigestPurpose, 'text').digest.toString('hex'),
  );
  expect(new Set(digests).size).toBe(purposes.length);
});
