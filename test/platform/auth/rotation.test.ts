import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startApi } from '../../../src/app/start-api.ts';
import type { ApiProcess } from '../../../src/app/start-api.ts';
import { rotateSigningKey } from '../../../src/platform/auth/signing-keys.ts';
import { callerTtlMs } from '../../../src/platform/auth/tokens.ts';
import { createLog } from '../../../src/platform/observability/log.ts';
import { issueClientSecret } from '../../../src/team/oauth2/client-secret.ts';
import { updateClient } from '../../../src/team/oauth2/queries.ts';
import { noteAnswer } from '../../reach/record.ts';
import { startTestApi } from '../../support/api.ts';
import type { TestApi, TestTeam } from '../../support/api.ts';
import { cloneDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { maintain } from '../../support/maintenance.ts';
import { aTokenService, closeServices, refusalOf } from './a-service.ts';

let api: TestApi;
let second: ApiProcess;
let team: TestTeam;

beforeAll(async () => {
  api = await startTestApi();
  second = await startApi(api.config, api.keyring, createLog('silent', 'api'), {
    onAnswer: noteAnswer,
  });
  team = await api.newTeam();
});
afterAll(async () => {
  await closeServices();
  await second.close();
  await api.stop();
});

const tokenOf = (secret: string) =>
  new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: team.clientId,
    client_secret: secret,
  });

async function getToken(base: string, secret = team.clientSecret) {
  const reply = await fetch(`${base}/oauth2/token`, { method: 'POST', body: tokenOf(secret) });
  const body: any = await reply.json();
  return { status: reply.status, token: String(body.access_token) };
}

async function use(base: string, token: string): Promise<string> {
  const reply = await fetch(`${base}/v2/meta/capabilities`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const body: any = await reply.json();
  return reply.ok ? 'accepted' : body.errors[0].code;
}

const kidOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;

/** Makes a process reload its keys, as a token with an unknown key id does. */
async function stir(base: string) {
  const header = Buffer.from(JSON.stringify({ alg: 'ES256', typ: 'at+jwt', kid: randomUUID() }));
  await use(base, `${header.toString('base64url')}.e30.AA`);
}

describe('a rotation of the signing key', () => {
  test('fails no request of two API processes under load, even when the new key signs at once', async () => {
    const failures: string[] = [];
    const kids = new Set<string>();
    let isOver = false;
    let requests = 0;
    async function client(issuing: string, asked: string) {
      while (!isOver) {
        const { status, token } = await getToken(issuing);
        const outcome = status === 200 ? await use(asked, token) : `token: ${String(status)}`;
        if (outcome !== 'accepted') failures.push(outcome);
        kids.add(kidOf(token));
        requests += 2;
      }
    }
    const clients = [
      client(api.url, second.url),
      client(second.url, api.url),
      client(api.url, second.url),
    ];
    for (let round = 0; round < 8; round += 1) {
      const id = await api.db.database.transact((sql) => rotateSigningKey(sql, api.keyring, 0));
      const issuing = round % 2 === 0 ? api.url : second.url;
      // The other process does not know the key when the first token by it arrives.
      await stir(issuing);
      await eventually(
        () => Promise.resolve(kids),
        (seen) => seen.has(id),
      );
    }
    isOver = true;
    await Promise.all(clients);
    expect(failures).toEqual([]);
    expect(kids.size).toBeGreaterThanOrEqual(8);
    expect(requests).toBeGreaterThan(40);
  });

  test('publishes every accepted key, and never a private part of one', async () => {
    await api.db.database.transact((sql) => rotateSigningKey(sql, api.keyring, 3_600));
    await stir(api.url);
    const { body } = await api.call('GET', '/.well-known/jwks.json');
    expect(body.keys.length).toBeGreaterThanOrEqual(2);
    for (const key of body.keys) {
      expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    }
    const ids = await api.db.look<{ id: string }>((sql) => sql`select id from signing_keys`);
    expect(body.keys.map(({ kid }: any) => kid).sort()).toEqual(ids.map(({ id }) => id).sort());
  });

  test('a new key is published before it signs', async () => {
    const { token } = await getToken(api.url);
    const id = await api.db.database.transact((sql) => rotateSigningKey(sql, api.keyring, 3_600));
    await stir(api.url);
    const { body } = await api.call('GET', '/.well-known/jwks.json');
    expect(body.keys.map(({ kid }: any) => kid)).toContain(id);
    expect(kidOf((await getToken(api.url)).token)).toBe(kidOf(token));
  });

  test('a retired key is refused by every process, and no longer published', async () => {
    await stir(api.url);
    const { token } = await getToken(api.url);
    const id = String(kidOf(token));
    await api.db.look(
      (sql) => sql`
        update signing_keys
        set retires_at = case when id = ${id} then now() - interval '1 second' end,
          activates_at = least(activates_at, now())`,
    );
    for (const base of [api.url, second.url]) {
      await stir(base);
      expect(await use(base, token)).toBe('token_invalid');
    }
    const { body } = await api.call('GET', '/.well-known/jwks.json');
    expect(body.keys.map(({ kid }: any) => kid)).not.toContain(id);
    expect(await use(second.url, (await getToken(api.url)).token)).toBe('accepted');
  });

  test('a key that has signed for 90 days is replaced by the maintenance, once', async () => {
    const countOf = async (): Promise<number> => {
      const { body } = await api.call('GET', '/.well-known/jwks.json');
      return body.keys.length;
    };
    const run = () => maintain(api.db.database, 'signing-keys', api.keyring);
    const age = (days: number) =>
      api.db.look(
        (sql) => sql`update signing_keys set activates_at = now() - make_interval(days => ${days})`,
      );
    await stir(api.url);
    const before = await countOf();
    // The API makes the first key, since it signs at once.
    const empty = await cloneDatabase();
    expect(await maintain(empty.database, 'signing-keys', api.keyring)).toBe(0);
    await empty.stop();
    await age(89);
    expect(await run()).toBe(0);
    await age(91);
    expect(await Promise.all([run(), run()])).toEqual(expect.arrayContaining([0, 1]));
    await stir(api.url);
    expect(await countOf()).toBe(before + 1);
    const events = await api.db.look(
      (sql) => sql`
        select actor from audit_events where action = 'signing_key.created' and client_id is null`,
    );
    expect(events).toEqual([{ actor: 'maintenance@temporal' }]);
  });
});

describe('a revocation by an operator', () => {
  test('takes effect within ten seconds', () => {
    expect(callerTtlMs).toBeLessThanOrEqual(10_000);
  });

  test('a revoked token is refused after its cache entry expires', async () => {
    const { tokens } = aTokenService(api, 40);
    const { token } = await getToken(api.url);
    expect(await refusalOf(tokens.verify(token, '127.0.0.1'))).toBe('accepted');
    const body = tokenOf(team.clientSecret);
    body.set('token', token);
    const reply = await fetch(`${second.url}/oauth2/revoke`, { method: 'POST', body });
    expect(reply.status).toBe(200);
    await eventually(
      () => refusalOf(tokens.verify(token, '127.0.0.1')),
      (code) => code === 'token_invalid',
    );
  });

  test('tokens of a suspended client are refused, and so are tokens issued before a change of the client', async () => {
    const { tokens } = aTokenService(api, 40);
    const client = { teamId: team.id, clientId: team.clientId };
    const change = (isSuspended: boolean) =>
      api.db.database.transact((sql) => updateClient(sql, client, { isSuspended }));
    const { token } = await getToken(api.url);
    expect(await refusalOf(tokens.verify(token, '127.0.0.1'))).toBe('accepted');
    await change(true);
    await eventually(
      () => refusalOf(tokens.verify(token, '127.0.0.1')),
      (code) => code === 'token_invalid',
    );
    expect((await getToken(api.url)).status).toBe(401);
    await change(false);
    const { token: fresh } = await getToken(api.url);
    expect(await refusalOf(tokens.verify(token, '127.0.0.1'))).toBe('token_invalid');
    expect(await refusalOf(tokens.verify(fresh, '127.0.0.1'))).toBe('accepted');
  });

  test('a token issued right after a change of its client is accepted', async () => {
    const { tokens } = aTokenService(api, 40);
    for (let round = 0; round < 5; round += 1) {
      await api.db.database.transact((sql) =>
        updateClient(sql, { teamId: team.id, clientId: team.clientId }, {}),
      );
      const { token } = await getToken(api.url);
      expect(await refusalOf(tokens.verify(token, '127.0.0.1'))).toBe('accepted');
    }
  });
});

test('during a rotation two client secrets are valid, then the new one alone', async () => {
  const ids = { teamId: team.id, clientId: team.clientId };
  const replace = (overlapSeconds: number) =>
    api.db.database.transact((sql) => issueClientSecret(sql, api.keyring, ids, overlapSeconds));
  const works = async (secrets: readonly string[]) =>
    Promise.all(secrets.map(async (secret) => (await getToken(api.url, secret)).status === 200));
  const first = team.clientSecret;
  const next = await replace(3_600);
  expect(await works([first, next])).toEqual([true, true]);
  const third = await replace(3_600);
  expect(await works([first, next, third])).toEqual([false, true, true]);
  await api.db.look(
    (sql) => sql`
      update client_secrets set expires_at = now() - interval '1 second'
      where client_id = ${team.clientId} and expires_at is not null`,
  );
  expect(await works([next, third])).toEqual([false, true]);
  const last = await replace(0);
  expect(await works([third, last])).toEqual([false, true]);
});
