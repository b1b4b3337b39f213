import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { placeHold } from '../../src/contacts/legal-holds/place.ts';
import { contactsErase } from '../../src/operations/catalog/contacts-erase.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { traceOfRun } from '../../src/platform/http/trace.ts';
import type { TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { eventsOf, subscribe } from '../support/recorded-events.ts';
import { anUnboundedTeam } from '../support/sending-service.ts';
import { useTestApi } from '../support/use-test-api.ts';
import {
  aPhoneReader,
  aSameText,
  archivePath,
  archiving,
  expired,
  sentTo,
  swept,
} from './an-archive.ts';
import { startSendingLanes } from './sending-lanes.ts';
import type { SendingLanes } from './sending-lanes.ts';

const api = useTestApi();
let lanes: SendingLanes;

beforeAll(async () => {
  lanes = await startSendingLanes(api);
  // It holds nothing of the teams below.
  await hold(await aTeam(), null);
});
afterAll(() => lanes.stop());

const path = '/v2/partner/legal-holds';
const contacts = '/v2/partner/contacts';
const reason = 'Subpoena 17';

async function hold(team: TestTeam, contact_id: string | null): Promise<string> {
  const { status, body } = await team.post(path, { reason, contact_id });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return String(body.id);
}
const release = (team: TestTeam, id: string) => team.post(`${path}/${id}/release`);
const erase = (team: TestTeam, id: string) => team.post(`${contacts}/${id}/erase`);
const aTeam = async (retention: object = {}) => archiving(await anUnboundedTeam(api), retention);
const statusOf = async (team: TestTeam, id: string) => {
  const { status, body } = await team.get(`${archivePath}/${id}`);
  return status === 200 ? String(body.content_status) : 'deleted';
};

// Who wins: each hold with each setting and each state of the contact.
const holds = ['none', 'on the contact', 'on the team', 'on another contact', 'released'] as const;
const states = ['active', 'archived', 'merged'] as const;
const combinations = holds.flatMap((held) =>
  states.flatMap((state) => [false, true].map((survives) => ({ held, state, survives }))),
);

test.each(combinations)(
  'hold $held, contact $state, survives erasure $survives: the hold wins, then the setting',
  async ({ held, state, survives }) => {
    const team = await aTeam({ archived_messages_survive_erasure: survives });
    const reader = await aPhoneReader(team);
    const [id = ''] = await sentTo(team, lanes, aSameText, [reader]);
    const heldContact = held === 'on another contact' ? await aPhoneReader(team) : reader;
    const holdId =
      held === 'none' ? '' : await hold(team, held === 'on the team' ? null : heldContact);
    if (held === 'released') await release(team, holdId);
    const person = await put(team, reader, state);

    const isHeld = held === 'on the contact' || held === 'on the team';
    const erasure = await erase(team, person);
    expect(erasure.status).toBe(isHeld ? 409 : 202);
    if (isHeld) {
      expect(erasure.body.errors).toMatchObject([
        { code: 'legal_hold', meta: { legal_hold_id: holdId } },
      ]);
      expect(JSON.stringify(erasure.body)).not.toContain(reason);
    }
    await swept(api, team);
    expect(await statusOf(team, id)).toBe(isHeld || survives ? 'stored' : 'erased');

    await expired(api, team, id);
    expect(await statusOf(team, id)).toBe(isHeld ? 'stored' : 'deleted');
    if (!isHeld) return;
    await release(team, holdId);
    await expired(api, team, id);
    expect(await statusOf(team, id)).toBe('deleted');
    expect((await erase(team, person)).status).toBe(202);
  },
);

/** The id by which the person is erased. */
async function put(team: TestTeam, id: string, state: (typeof states)[number]): Promise<string> {
  if (state === 'archived') await team.call('DELETE', `${contacts}/${id}`);
  if (state !== 'merged') return id;
  const winner = await aPhoneReader(team);
  const merged = await team.post(`${contacts}/${winner}/merge`, { source_contact_id: id });
  expect(merged.status).toBe(200);
  return winner;
}

test('a hold after an erasure keeps what has survived it', async () => {
  const team = await aTeam({ archived_messages_survive_erasure: true });
  const reader = await aPhoneReader(team);
  const [id = ''] = await sentTo(team, lanes, aSameText, [reader]);
  expect((await erase(team, reader)).status).toBe(202);
  await hold(team, reader);
  await swept(api, team);
  await expired(api, team, id);
  expect(await statusOf(team, id)).toBe('stored');
  // A repeat is answered with the erasure that was accepted before the hold.
  expect((await erase(team, reader)).status).toBe(202);
});

test.each(['contact', 'team'])(
  'an erasure waits for a hold on the %s that is being placed, and is refused',
  async (subject) => {
    const team = await aTeam();
    const reader = await aPhoneReader(team);
    const contact_id = subject === 'contact' ? reader : null;
    let erasure: ReturnType<typeof erase> | undefined;
    await api.db.database.transact(async (sql) => {
      await placeHold(sql, team.id, { reason, contact_id, placed_by_client_id: null });
      erasure = erase(team, reader);
      await eventually(
        () =>
          api.db.look(
            (look) => look`
              select from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock'`,
          ),
        (waiting) => waiting.length > 0,
      );
    });
    expect((await erasure)?.body.errors[0].code).toBe('legal_hold');
  },
);

test('an operation that erases fails for a held contact, and not for others', async () => {
  const team = await aTeam();
  const [held, free] = [await aPhoneReader(team), await aPhoneReader(team)];
  const legal_hold_id = await hold(team, held);
  const { keyring, config } = api;
  const about = { teamId: team.id, clientId: team.clientId, tier: 'unlimited' };
  const results = await api.db.database.transact((sql) =>
    contactsErase.apply(
      {
        ...{ sql, teamId: team.id, source: 'ipaas', keyring, publicBaseUrl: config.publicBaseUrl },
        ...{ log: createLog('silent', 'api'), trace: traceOfRun('test') },
        principal: { ...about, tokenKind: 'partner', scopes: new Set(contactsErase.scopes) },
      },
      [{ contact_id: held }, { contact_id: free }],
    ),
  );
  expect(results).toMatchObject([
    { status: 'failed', errors: [{ code: 'legal_hold', meta: { legal_hold_id } }] },
    { status: 'updated' },
  ]);
});

test('a released hold stays in the list, and both acts are events and audit lines', async () => {
  const team = await aTeam();
  await subscribe(api, team);
  const id = await hold(team, null);
  const released = await release(team, id);
  expect(released.body).toMatchObject({ status: 'released', reason });
  expect((await release(team, id)).body).toEqual(released.body);
  const { body: active } = await team.get(`${path}?filter[status]=active`);
  const { body: all } = await team.get(path);
  expect([active.data.length, all.data.length]).toEqual([0, 1]);
  const events = await eventsOf(api, team, id);
  expect(events.map(({ type }) => type)).toEqual(['legal_hold.placed', 'legal_hold.released']);
  const { body: trail } = await team.get(
    '/v2/partner/audit-events?filter[resource_type]=legal_hold',
  );
  expect(trail.data.map(({ action }: { action: string }) => action).sort()).toEqual([
    'legal_hold.placed',
    'legal_hold.released',
  ]);
});

test('a merger moves the holds of its team, and not those of another', async () => {
  const [team, other] = [await aTeam(), await aTeam()];
  const loser = await aPhoneReader(team);
  const id = await hold(team, loser);
  const [same] = await api.db.look(
    (sql) => sql<{ id: string }[]>`
      insert into legal_holds (team_id, contact_id, reason)
      values (${other.id}, ${loser}, ${reason}) returning id`,
  );
  const winner = await put(team, loser, 'merged');
  expect((await team.get(`${path}/${id}`)).body.contact_id).toBe(winner);
  expect((await other.get(`${path}/${String(same?.id)}`)).body.contact_id).toBe(loser);
});

test('a hold names a contact of the team that is not merged', async () => {
  const team = await aTeam();
  const other = await aPhoneReader(await aTeam());
  for (const contact_id of [other, randomUUID()]) {
    const { status, body } = await team.post(path, { reason, contact_id });
    const { pointer, rule } = body.errors[0].meta;
    expect([status, pointer, rule]).toEqual([422, '/contact_id', 'reference_not_found']);
  }
  const loser = await aPhoneReader(team);
  await put(team, loser, 'merged');
  const { status, body } = await team.post(path, { reason, contact_id: loser });
  expect([status, body.errors[0].code]).toEqual([410, 'contact_merged']);
});
