import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createSender } from '../../src/webhooks/dispatch/webhook-sender.ts';
import { createEgress } from '../../src/platform/egress/client.ts';
import type { Egress } from '../../src/platform/egress/client.ts';
import { recordEvent } from '../../src/platform/events/record.ts';
import { contactCreated } from '../../src/contacts/events.ts';
import { claimDue } from '../../src/webhooks/recovery/queries.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';

const path = '/v2/partner/webhook-subscriptions';

let api: TestApi;
let egress: Egress;
let sender: ReturnType<typeof createSender>;
let team: TestTeam;
let owner: Receiver;
let other: Receiver;
let id: string;

beforeAll(async () => {
  api = await startTestApi();
  egress = createEgress({ rules: api.config.webhooks });
  const { keyring, db, config } = api;
  const policy = config.webhooks;
  sender = createSender({ database: db.database, clock: Date, keyring, egress, policy });
});
afterAll(async () => {
  await egress.close();
  await api.stop();
});
beforeEach(async () => {
  team = await api.newTeam();
  [owner, other] = [await startReceiver(), await startReceiver()];
  const reply = await team.post(path, { target_url: owner.url, event_types: ['contact.created'] });
  id = String(reply.body.id);
});
afterEach(() => Promise.all([owner.stop(), other.stop()]));

const setHeaders = async (authorization: string) => {
  const reply = await team.patch(`${path}/${id}/delivery-settings`, { headers: { authorization } });
  expect(reply.status).toBe(200);
};

async function moveTo(target_url: string) {
  const reply = await team.patch(`${path}/${id}`, { target_url });
  expect(reply.status).toBe(200);
}

/** Records an event and claims its delivery, as a worker does. */
async function claimOne() {
  const { database } = api.db;
  await database.transact((sql) => {
    const data = { id: randomUUID() };
    recordEvent(sql, { teamId: team.id, type: contactCreated, data, sequence: 1 });
    return Promise.resolve();
  });
  const bounds = { asOf: 'infinity', limit: 100, requestedOnly: false };
  const claimed = await database.read((sql) => claimDue(sql, team.id, id, bounds));
  const last = claimed.at(-1);
  if (!last) throw new Error('no delivery was claimed');
  return last;
}

async function attempt(delivery: Awaited<ReturnType<typeof claimOne>>) {
  const { signal } = new AbortController();
  const attempted = await sender.attempt(delivery, { isProbe: false, signal });
  expect(attempted?.outcome.status).toBe('delivered');
  return attempted?.outcome.url;
}

const authorizations = ({ received }: Receiver) =>
  received.map(({ headers }) => headers.authorization);

test('a client that moves a subscription to another origin does not receive its stored headers', async () => {
  await setHeaders('Bearer of-the-owner');
  await attempt(await claimOne());
  await moveTo(other.url);
  await attempt(await claimOne());
  expect(authorizations(owner)).toEqual(['Bearer of-the-owner']);
  expect(authorizations(other)).toEqual([undefined]);
  const settings = await team.get(`${path}/${id}/delivery-settings`);
  expect(settings.body.header_names).toEqual([]);
  await moveTo(owner.url);
  await attempt(await claimOne());
  expect(authorizations(owner)).toEqual(['Bearer of-the-owner', undefined]);
});

test('headers that are sent again after the move reach the new receiver', async () => {
  await setHeaders('Bearer of-the-owner');
  await moveTo(other.url);
  await setHeaders('Bearer of-the-other');
  await attempt(await claimOne());
  expect(authorizations(other)).toEqual(['Bearer of-the-other']);
});

test('a client that moves a subscription to another path of a shared host receives no stored headers', async () => {
  await setHeaders('Bearer of-the-owner');
  for (const elsewhere of [`${owner.url}/elsewhere`, `${owner.url}?x=1`]) {
    await moveTo(elsewhere);
    await attempt(await claimOne());
  }
  expect(authorizations(owner)).toEqual([undefined, undefined]);
});

test('a delivery claimed before the move does not carry the new headers to the old receiver', async () => {
  const claimed = await claimOne();
  await moveTo(other.url);
  await setHeaders('Bearer of-the-other');
  expect(await attempt(claimed)).toBe(other.url);
  expect(authorizations(owner)).toEqual([]);
  expect(authorizations(other)).toEqual(['Bearer of-the-other']);
});
