import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { newKeyFile, openKeyring, rotateKeyFile } from '../../src/platform/auth/keyring.ts';
import { linkToken, linkUrl, readLinkToken } from '../../src/messaging/journey-link.ts';

const file = newKeyFile();
const keyring = openKeyring(file);
const journey = { team_id: randomUUID(), id: randomUUID(), link_generation: 3 };

test('a link leads to its journey, also after its key was rotated', () => {
  const token = linkToken(keyring, journey);
  expect(readLinkToken(keyring, token)).toEqual(journey);
  expect(readLinkToken(openKeyring(rotateKeyFile(file, 'journey_link')), token)).toEqual(journey);
});

test('the token of a link stands in the fragment only', () => {
  const url = new URL(linkUrl('https://onward.example', keyring, journey));
  expect(url.hash).toBe(`#${linkToken(keyring, journey)}`);
  expect(`${url.pathname}${url.search}`).toBe('/journey');
});

test('no link can be made up: every changed character, another key and other texts are refused', () => {
  const token = linkToken(keyring, journey);
  for (let at = 0; at < token.length; at += 1) {
    const other = token[at] === 'A' ? 'Q' : 'A';
    expect(
      readLinkToken(keyring, token.slice(0, at) + other + token.slice(at + 1)),
    ).toBeUndefined();
  }
  expect(readLinkToken(openKeyring(newKeyFile()), token)).toBeUndefined();
  for (const text of ['', '~~~', 'dol~x~y~z', `${token}~`, token.slice(0, -1)]) {
    expect(readLinkToken(keyring, text)).toBeUndefined();
  }
});
