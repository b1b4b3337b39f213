import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { useTestApi } from '../../support/use-test-api.ts';
import { createTokenCaller } from '../../support/token-caller.ts';

const api = useTestApi();

const guesses = 10_000;
const atOnce = 16;

test('ten thousand guesses, under a hundred forged source addresses, neither succeed nor lock out a client', async () => {
  const [attacked, neighbor] = [await api.newTeam(), await api.newTeam()];
  const attacker = createTokenCaller(api.url, '127.0.0.1');
  const owner = createTokenCaller(api.url, '127.0.0.2');
  const secretOf = ({ clientId: client_id, clientSecret: client_secret }: typeof attacked) => ({
    client_id,
    client_secret,
  });
  const seen = new Map<number, number>();
  const rightful: number[] = [];
  let made = 0;

  async function guess(): Promise<void> {
    while (made < guesses) {
      const at = made;
      made += 1;
      // Every tenth is for a client that does not exist.
      const client_id = at % 10 === 0 ? randomUUID() : attacked.clientId;
      const source = `203.0.113.${String(at % 100)}`;
      const client_secret = randomBytes(32).toString('base64url');
      const status = await attacker.ask({ client_id, client_secret }, source);
      seen.set(status, (seen.get(status) ?? 0) + 1);
      if (at % 500 === 0) {
        rightful.push(await owner.ask(secretOf(attacked)));
        rightful.push(await attacker.ask(secretOf(neighbor)));
      }
    }
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, guess));
  } finally {
    attacker.end();
    owner.end();
  }

  expect([...seen.keys()].sort()).toEqual([401, 429]);
  // Ten of the attacked client and those in flight; and all of the unknown client.
  expect(seen.get(401)).toBeLessThanOrEqual(guesses / 10 + 10 + atOnce);
  expect(rightful).toEqual(Array<number>((guesses / 500) * 2).fill(200));
});
