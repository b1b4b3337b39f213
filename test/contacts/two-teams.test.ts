import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { lockSoftBounces } from '../../src/contacts/suppressions/queries.ts';
import { suppress } from '../../src/contacts/suppressions/suppress.ts';
import { listParked, parkRow, unparkRow } from '../../src/platform/database/parked-rows.ts';
import { isHeldBack } from '../../src/webhooks/suspending/queries.ts';
import { twinsOf } from '../contract/acts.ts';
import { verdictOf } from '../contract/answers.ts';
import { openRows } from '../contract/team-rows.ts';
import type { TestTeam } from '../support/api.ts';
import { useTestApi } from '../support/use-test-api.ts';

// Isolation of requests that arrive at once; the contract suite sends one at a time. The rows of a twin
// have the ids of this team.

const api = useTestApi();
const contacts = '/v2/partner/contacts';

/** Gives two other teams the rows of this one, and runs the work while they have them. */
async function withTwins(team: TestTeam, work: (twins: readonly string[]) => Promise<void>) {
  const rows = await openRows(api.db);
  const twins = twinsOf();
  try {
    for (const twin of twins) await rows.copy(team.id, twin);
    const before = await Promise.all(twins.map((twin) => rows.stateOf(twin)));
    await work(twins);
    for (const [at, twin] of twins.entries()) expect(await rows.stateOf(twin)).toEqual(before[at]);
  } finally {
    await rows.close();
  }
}

async function newContact(team: TestTeam, fields: object = {}): Promise<string> {
  const { body } = await team.post(contacts, { email: 'robin@example.com', ...fields });
  return body.id;
}

test('changes sent at once read and write the rows of their own team', async () => {
  const team = await api.newTeam();
  const ids = await Promise.all(Array.from({ length: 8 }, () => newContact(team)));
  const accounts: string[] = await Promise.all(
    ids.map(async (id) => {
      const { body } = await team.post(`${contacts}/${id}/accounts`, {
        kind: 'deposit',
        name: 'A',
      });
      return body.id;
    }),
  );
  await withTwins(team, async () => {
    await api.db.look(
      (sql) => sql`update accounts set name = 'B' where team_id = ${team.id} returning id`,
    );
    const replies = await Promise.all([
      ...accounts.map((id) => team.patch(`/v2/partner/accounts/${id}`, { balance_cents: 5 })),
      ...ids.map((id) => team.patch(`${contacts}/${id}`, { first_name: 'Ada' })),
    ]);
    expect(replies.map(verdictOf)).toEqual(replies.map(() => '200'));
    expect(replies.map(({ body }) => body.team_id)).toEqual(replies.map(() => team.id));
    expect(replies.slice(0, accounts.length).map(({ body }) => body.name)).toEqual(
      accounts.map(() => 'B'),
    );
  });
});

test('a completion of another team with the same key is no repeat', async () => {
  const team = await api.newTeam();
  const contactId = await newContact(team);
  const objective = await team.post('/v2/partner/objectives', {
    ...{ name: 'Visit', key: 'visit', is_repeatable: true },
  });
  const path = `/v2/partner/objectives/${String(objective.body.id)}/completions`;
  const report = () => team.post(path, { contact_id: contactId, unique_id: 'visit-1' });
  const first = await report();
  await withTwins(team, async () => {
    const voided = `/v2/partner/objectives/completions/${String(first.body.id)}/void`;
    expect(verdictOf(await team.post(voided, { reason: 'a mistake' }))).toBe('200');
    expect(verdictOf(await report())).toBe('201');
  });
});

test('a key that another team has merged, and an address that it has suppressed, are free', async () => {
  const [team, other] = [await api.newTeam(), await api.newTeam()];
  const [key, address] = [randomUUID(), `${randomUUID()}@example.com`];
  const winner = await newContact(other);
  const loser = await newContact(other, { unique_id: key });
  const merged = await other.post(`${contacts}/${winner}/merge`, { source_contact_id: loser });
  expect(verdictOf(merged)).toBe('200');
  await other.post('/v2/partner/suppressions', { channel: 'email', address });
  const created = await team.post(contacts, { unique_id: key });
  expect(verdictOf(created)).toBe('201');
  const changed = await team.patch(`${contacts}/${String(created.body.id)}`, { email: address });
  expect(changed.body.email_status).toBe('unknown');
  const suppressed = await other.patch(`${contacts}/${winner}`, { email: address });
  expect(suppressed.body.email_status).not.toBe('unknown');
});

test('the suppression of an address by its bounces is that of the own team', async () => {
  const teams = [await api.newTeam(), await api.newTeam()];
  const address = `full-${randomUUID()}@example.com`;
  for (const { id } of teams) {
    await api.db.database.transact((sql) =>
      suppress(sql, id, {
        ...{ channel: 'email', address, contact_id: null, note: null },
        ...{ reason: 'soft_bounces', source: 'inbound' },
      }),
    );
  }
  for (const { id } of teams) {
    const found = await api.db.database.transact((sql) => lockSoftBounces(sql, id, address));
    expect(found?.team_id).toBe(id);
  }
});

test('a row that a loop takes up again leaves one with its id to the loop of another team', async () => {
  const [first, second] = [await api.newTeam(), await api.newTeam()];
  const [loop, id] = [randomUUID(), randomUUID()];
  const { database } = api.db;
  for (const { id: team_id } of [first, second]) {
    await database.transact((sql) => parkRow(sql, loop, { team_id, id }, 'test'));
  }
  await database.transact((sql) => unparkRow(sql, loop, { team_id: first.id, id }));
  const parked = await database.read((sql) => listParked(sql, loop));
  expect(parked).toEqual([{ team_id: second.id, id }]);
});

test('deliveries of a subscription are held back while its own team is suspended', async () => {
  const teams = [await api.newTeam(), await api.newTeam()];
  const ids: string[] = [];
  for (const team of teams) {
    const { body } = await team.post('/v2/partner/webhook-subscriptions', {
      ...{ target_url: 'https://hooks.example.com/', event_types: ['*'] },
    });
    ids.push(String(body.id));
  }
  const heldOf = () =>
    Promise.all(
      teams.map(({ id: teamId }, at) =>
        api.db.database.read((sql) => isHeldBack(sql, teamId, ids[at] ?? '')),
      ),
    );
  expect(await heldOf()).toEqual([false, false]);
  for (const [at, { id }] of teams.entries()) {
    await api.db.look(
      (sql) => sql`update teams set suspended_at = now() where id = ${id} returning id`,
    );
    expect(await heldOf()).toEqual([true, at === 1]);
  }
});
