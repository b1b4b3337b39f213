import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, jest, test } from '@jest/globals';
import { createRecipients } from '../../src/platform/auth/recipients.ts';
import { createSigningKeys } from '../../src/platform/auth/signing-keys.ts';
import { createTokenService } from '../../src/platform/auth/tokens.ts';
import { createWidgetTokens } from '../../src/platform/auth/widget-tokens.ts';
import type { Database } from '../../src/platform/database/client.ts';
import { createOrigins } from '../../src/platform/http/origins.ts';
import { createKnownReceivers } from '../../src/inbound/intake/known-receivers.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { useTestApi } from '../support/use-test-api.ts';
import { aReceiver } from '../inbound/a-receiver.ts';

const api = useTestApi();

/** The database, with a count of its lookups. */
function counting(): { database: Database; lookups(): number } {
  const { database } = api.db;
  let count = 0;
  return {
    lookups: () => count,
    database: {
      ...database,
      read: (work, options) => {
        count += 1;
        return database.read(work, options);
      },
    },
  };
}

async function twentyTimes(ask: () => Promise<unknown>): Promise<void> {
  for (let at = 0; at < 20; at += 1) await ask();
}

describe('repeated calls do not keep Postgres busy:', () => {
  test('a receiver that does not exist', async () => {
    const { database, lookups } = counting();
    const receivers = createKnownReceivers(database, api.keyring, createLog('silent', 'test'));
    const id = randomUUID();
    await twentyTimes(async () => expect(await receivers.find(id)).toBeUndefined());
    await Promise.all(Array.from({ length: 20 }, () => receivers.find(id)));
    expect(lookups()).toBe(1);
  });

  test('the origin of a page that no widget admits', async () => {
    const { database, lookups } = counting();
    const origins = createOrigins(database, 'http://onward.test');
    const ask = () => origins.headersFor({ origin: 'https://stranger.example' });
    await twentyTimes(async () => expect(await ask()).toEqual({ Vary: 'Origin' }));
    expect(lookups()).toBe(1);
  });

  test('the cookie of a session that never existed', async () => {
    const { database, lookups } = counting();
    const keys = createSigningKeys(database, api.keyring);
    const recipients = createRecipients(database, createWidgetTokens(keys, 'http://onward.test'));
    const secret = randomBytes(32).toString('base64url');
    await twentyTimes(() =>
      expect(recipients.ofSession(secret)).rejects.toThrow('session_expired'),
    );
    expect(lookups()).toBe(1);
  });

  test('a token that was revoked', async () => {
    const team = await api.newTeam();
    const credentials = { client_id: team.clientId, client_secret: team.clientSecret };
    const raw = new URLSearchParams({ token: team.token, ...credentials }).toString();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await api.call('POST', '/oauth2/revoke', { raw, headers })).status).toBe(200);
    const { database, lookups } = counting();
    const keys = createSigningKeys(database, api.keyring);
    const tokens = createTokenService(database, keys, 'http://onward.test', 60_000);
    // The first also reads the signing keys.
    await expect(tokens.verify(team.token, '127.0.0.1')).rejects.toThrow('token_invalid');
    const before = lookups();
    await twentyTimes(() =>
      expect(tokens.verify(team.token, '127.0.0.1')).rejects.toThrow('token_invalid'),
    );
    expect(lookups()).toBe(before);
  });
});

test('ten thousand made-up receivers evict no existing one', async () => {
  const { database, lookups } = counting();
  const receivers = createKnownReceivers(database, api.keyring, createLog('silent', 'test'));
  const { id } = await aReceiver(api, await api.newTeam());
  await receivers.find(id);
  const made = Array.from({ length: 10_000 }, () => randomUUID());
  while (made.length > 0) await Promise.all(made.splice(0, 500).map((one) => receivers.find(one)));
  expect(lookups()).toBeGreaterThanOrEqual(10_001);
  expect(receivers.knows(id)).toBe(true);
});

test('a receiver stays known while Postgres is away, so that it keeps a budget of its own', async () => {
  const { database } = api.db;
  let isAway = false;
  const receivers = createKnownReceivers(
    {
      ...database,
      read: (work, options) =>
        isAway ? Promise.reject(new Error('away')) : database.read(work, options),
    },
    api.keyring,
    createLog('silent', 'test'),
  );
  const { id } = await aReceiver(api, await api.newTeam());
  await receivers.find(id);
  isAway = true;
  const aMinuteLater = performance.now() + 60_000;
  const clock = jest.spyOn(performance, 'now').mockReturnValue(aMinuteLater);
  await expect(receivers.find(id)).rejects.toThrow('away');
  expect(receivers.knows(id)).toBe(true);
  clock.mockRestore();
});
