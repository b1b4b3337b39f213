import { expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { createTokenCaller } from '../support/token-caller.ts';

const api = useTestApi({ TRUSTED_PROXIES: '1' });

test('changing the address within an IPv6 network does not allow more guesses at a client secret', async () => {
  const { clientId: client_id, clientSecret } = await api.newTeam();
  const caller = createTokenCaller(api.url, '127.0.0.1');
  try {
    const statuses: number[] = [];
    for (let at = 0; at < 12; at += 1) {
      const from = `2001:db8:1:2:${String(at)}::1`;
      statuses.push(await caller.ask({ client_id, client_secret: 'guess' }, from));
    }
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
    const owner = await caller.ask({ client_id, client_secret: clientSecret }, '2001:db8:1:3::1');
    expect(owner).toBe(200);
  } finally {
    caller.end();
  }
});

test('a stranger who guesses from the address of a client does not keep it from its tokens', async () => {
  const { clientId: client_id, clientSecret: client_secret } = await api.newTeam();
  const caller = createTokenCaller(api.url, '127.0.0.1');
  const from = '192.0.2.77';
  try {
    const guesses = await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        caller.ask({ client_id, client_secret: `guess ${String(at)}` }, from),
      ),
    );
    expect(guesses.filter((status) => status === 401)).toHaveLength(10);
    expect(guesses.filter((status) => status === 429)).toHaveLength(50);
    expect(await caller.ask({ client_id, client_secret }, from)).toBe(200);
    expect(await caller.ask({ client_id, client_secret: 'guess' }, from)).toBe(429);
  } finally {
    caller.end();
  }
});

test('a client that requests a token for each call is rate limited, and other clients are not', async () => {
  const credentialsOf = ({ clientId: client_id, clientSecret: client_secret }: TestTeam) => ({
    client_id,
    client_secret,
  });
  const busy = credentialsOf(await api.newTeam({ tier: 'standard' }));
  const other = credentialsOf(await api.newTeam({ tier: 'standard' }));
  const caller = createTokenCaller(api.url, '127.0.0.1');
  try {
    const statuses = await Promise.all(
      Array.from({ length: 40 }, () => caller.ask(busy, '192.0.2.1')),
    );
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(await caller.ask(other, '192.0.2.1')).toBe(200);
    expect(await caller.ask(busy, '192.0.2.2')).toBe(200);
  } finally {
    caller.end();
  }
});
