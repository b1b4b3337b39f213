import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Reply, TestTeam } from '../support/api.ts';
import { useTestApi } from '../support/use-test-api.ts';
import { verdictOf } from '../contract/answers.ts';

const api = useTestApi();
const contacts = '/v2/partner/contacts';
const rounds = Array.from({ length: 12 }, (_, at) => at);

const versionOf = ({ headers }: Reply) => Number(/\d+/.exec(headers.get('etag') ?? '')?.[0]);

async function newSubscribedTeam(): Promise<TestTeam> {
  const team = await api.newTeam();
  await team.post('/v2/partner/webhook-subscriptions', {
    target_url: 'https://hooks.example.com/changes',
    event_types: ['*'],
  });
  return team;
}

async function newContact(team: TestTeam, fields: object = {}): Promise<string> {
  const { body } = await team.post(contacts, { email: 'robin@example.com', ...fields });
  return body.id;
}

/** The bodies of the recorded events of a resource, in the order of their sequence. */
async function bodiesOf(team: TestTeam, resourceId: string, type: string) {
  const rows = await team.db.database.read(
    (sql) => sql<{ body: string }[]>`
      select body from webhook_events
      where team_id = ${team.id} and resource_id = ${resourceId} and type = ${type}
      order by sequence`,
  );
  return rows.map(({ body }) => JSON.parse(body));
}

test('changes of contacts sent at once are made one after the other', async () => {
  const team = await newSubscribedTeam();
  const ids = [await newContact(team, { unique_id: 'first' }), await newContact(team)];
  const names = rounds.flatMap((round) => ids.map((id, at) => ({ id, name: `${round} ${at}` })));
  const replies = await Promise.all(
    names.map(({ id, name }, at) =>
      // Every fifth names its contact by the partner's own key.
      team.patch(`${contacts}/${id === ids[0] && at % 5 === 0 ? 'unique_id:first' : id}`, {
        first_name: name,
      }),
    ),
  );
  expect(replies.map(verdictOf)).toEqual(names.map(() => '200'));
  for (const id of ids) {
    const versions = replies.flatMap((reply) => (reply.body.id === id ? [versionOf(reply)] : []));
    expect(versions.sort((a, b) => a - b)).toEqual(rounds.map((round) => round + 2));
    const events = await bodiesOf(team, id, 'contact.updated');
    expect(events.map(({ sequence }) => sequence)).toEqual(rounds.map((round) => round + 2));
    const before = [undefined, ...events.map(({ data }) => data.first_name)];
    expect(events.map(({ previous }) => previous.first_name ?? undefined)).toEqual(
      before.slice(0, -1),
    );
  }
});

test('of changes that name one version, one is made', async () => {
  const team = await newSubscribedTeam();
  const id = await newContact(team);
  const replies = await Promise.all(
    rounds.map((round) =>
      team.patch(`${contacts}/${id}`, { first_name: String(round) }, { 'If-Match': '"1"' }),
    ),
  );
  const verdicts = replies.map(verdictOf).sort();
  expect(verdicts).toEqual(['200', ...rounds.slice(1).map(() => '412 precondition_failed')]);
});

test('a refused change harms no other one of the same moment', async () => {
  const team = await newSubscribedTeam();
  const ids = await Promise.all(
    rounds.map((round) => newContact(team, { unique_id: `u${round}` })),
  );
  const bodies = ids.map((_, at) => {
    if (at % 4 === 0) return { unique_id: 'u1' };
    return at % 4 === 2 ? { timezone: 'Nowhere/Land' } : { first_name: 'Ada' };
  });
  const replies = await Promise.all(
    [...ids, randomUUID()].map((id, at) =>
      team.patch(`${contacts}/${id}`, bodies[at] ?? { first_name: 'Ada' }),
    ),
  );
  expect(replies.map(verdictOf)).toEqual([
    ...ids.map((_, at) => {
      if (at % 4 === 0) return '409 unique_id_taken';
      return at % 4 === 2 ? '422 validation_failed' : '200';
    }),
    '404 not_found',
  ]);
  for (const [at, id] of ids.entries()) {
    const events = await bodiesOf(team, id, 'contact.updated');
    expect(events.length).toBe(at % 2 === 1 ? 1 : 0);
  }
});

test('balances of accounts sent at once are set one after the other', async () => {
  const team = await newSubscribedTeam();
  const contactId = await newContact(team);
  const created = await team.post(`${contacts}/${contactId}/accounts`, { kind: 'deposit' });
  const { id } = created.body;
  const version = versionOf(created);
  const replies = await Promise.all(
    rounds.map((round) =>
      team.patch(`/v2/partner/accounts/${String(id)}`, { balance_cents: round + 1 }),
    ),
  );
  expect(replies.map(verdictOf)).toEqual(rounds.map(() => '200'));
  const events = await bodiesOf(team, id, 'account.updated');
  expect(events.map(({ sequence }) => sequence)).toEqual(
    rounds.map((round) => version + round + 1),
  );
  const last = events.at(-1)?.data.balance_cents;
  expect((await team.get(`/v2/partner/accounts/${String(id)}`)).body.balance_cents).toBe(last);
});

test('completions sent at once count each contact once', async () => {
  const team = await newSubscribedTeam();
  const contactIds = [await newContact(team), await newContact(team)];
  const objective = await team.post('/v2/partner/objectives', { name: 'Visit', key: 'visit' });
  const path = `/v2/partner/objectives/${String(objective.body.id)}/completions`;
  const replies = await Promise.all(
    [...rounds, ...rounds].map((_, at) => team.post(path, { contact_id: contactIds[at % 2] })),
  );
  expect(replies.filter(({ status }) => status === 201).length).toBe(2);
  expect(replies.every(({ status }) => status === 200 || status === 201)).toBe(true);
  expect(new Set(replies.map(({ body }) => body.id)).size).toBe(2);
  const missing = await Promise.all([
    team.post(path, { contact_id: randomUUID() }),
    team.post(path, { contact_id: contactIds[0] }),
    team.post(`/v2/partner/objectives/${randomUUID()}/completions`, { contact_id: contactIds[0] }),
  ]);
  expect(missing.map(verdictOf)).toEqual(['422 validation_failed', '200', '404 not_found']);
});

test('a contact that somebody else has locked delays changes of no other one', async () => {
  const team = await newSubscribedTeam();
  const ids = await Promise.all(rounds.map(() => newContact(team)));
  const held = ids[5] ?? '';
  const change = (id: string) => team.patch(`${contacts}/${id}`, { first_name: 'Ada' });
  const waiting = await team.db.database.transact(async (sql) => {
    await sql`select from contacts where team_id = ${team.id} and id = ${held} for update`;
    const replies = ids.map(change);
    const free = await Promise.all(replies.filter((_, at) => ids[at] !== held));
    expect(free.map(verdictOf)).toEqual(free.map(() => '200'));
    // In an array, so that the transaction does not wait for it.
    return replies.filter((_, at) => ids[at] === held);
  });
  expect((await Promise.all(waiting)).map(verdictOf)).toEqual(['200']);
});
