import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Reply, TestTeam } from '../support/api.ts';
import { useTestApi } from '../support/use-test-api.ts';
import { verdictOf } from '../contract/answers.ts';

const api = useTestApi();

const contacts = '/v2/partner/contacts';

interface Requested {
  /** Which of the teams sends it. */
  team: number;
  /** Place in a small set, so that requests meet each other; undefined for none. */
  unique: number | undefined;
  isInvalid: boolean;
  /** Requests of one key are repeats of each other. */
  key: number | undefined;
}

const teamCount = 3;
const requested = fc.record({
  team: fc.nat(teamCount - 1),
  unique: fc.option(fc.nat(3), { nil: undefined }),
  isInvalid: fc.boolean(),
  key: fc.option(fc.nat(2), { nil: undefined }),
});

/** Requests with one key have one body, as repeats do. */
function bodiesOf(requests: readonly Requested[]) {
  const firstOf = new Map<number, Requested>();
  return requests.map((request) => {
    const { key } = request;
    if (key !== undefined && !firstOf.has(key)) firstOf.set(key, request);
    const { unique, isInvalid } = (key === undefined ? undefined : firstOf.get(key)) ?? request;
    const uniqueId = unique === undefined ? {} : { unique_id: `u${String(unique)}` };
    const email = isInvalid ? 'no address' : 'robin@example.com';
    return { key, unique, isInvalid, body: { ...uniqueId, email } };
  });
}

const isReplay = ({ headers }: Reply) => headers.get('idempotent-replayed') === 'true';

async function newSubscribedTeam(): Promise<TestTeam> {
  const team = await api.newTeam();
  await team.post('/v2/partner/webhook-subscriptions', {
    target_url: 'https://hooks.example.com/contacts',
    event_types: ['contact.created'],
  });
  return team;
}

/** Answers to what a team has sent at once, each with its request, as in some order one by one. */
async function checkAnswers(
  team: TestTeam,
  answered: readonly { request: ReturnType<typeof bodiesOf>[number]; reply: Reply }[],
): Promise<void> {
  const created = new Map<string, string | undefined>();
  const firstAnswers: string[] = [];
  for (const { request, reply } of answered) {
    const verdict = verdictOf(reply);
    if (request.isInvalid)
      expect(['422 validation_failed', '409 idempotency_in_progress']).toContain(verdict);
    else {
      expect(['201', '409 unique_id_taken', '409 idempotency_in_progress']).toContain(verdict);
    }
    if (request.key === undefined) expect(verdict).not.toBe('409 idempotency_in_progress');
    if (verdict !== '201') continue;
    expect(reply.body.team_id).toBe(team.id);
    expect(reply.body.unique_id).toBe(request.body.unique_id);
    if (!isReplay(reply)) firstAnswers.push(reply.body.id);
    created.set(reply.body.id, request.body.unique_id);
  }
  expect(firstAnswers.sort()).toEqual([...created.keys()].sort());
  const uniqueIds = [...created.values()].filter((id) => id !== undefined);
  expect(new Set(uniqueIds).size).toBe(uniqueIds.length);
  // A key creates one contact at most, and a unique_id that is refused is that of a contact.
  for (const key of new Set(answered.flatMap(({ request }) => request.key ?? []))) {
    const ids = answered.flatMap(({ request, reply }) =>
      request.key === key && reply.status === 201 ? [reply.body.id] : [],
    );
    expect(new Set(ids).size).toBeLessThanOrEqual(1);
  }
  for (const { request, reply } of answered) {
    if (verdictOf(reply) !== '409 unique_id_taken') continue;
    const { id } = reply.body.errors[0].meta;
    expect(created.get(id)).toBe(request.body.unique_id);
  }
  const stored = await team.db.database.read(
    (sql) => sql<{ id: string; events: number; version: number }[]>`
      select c.id, c.lock_version as version, (
        select count(*)::int from webhook_events e
        join webhook_deliveries d on d.day = e.day and d.event_id = e.id
        where e.team_id = c.team_id and e.resource_id = c.id) as events
      from contacts c
      where c.team_id = ${team.id}`,
  );
  expect(stored.map(({ id }) => id).sort()).toEqual([...created.keys()].sort());
  for (const { events, version } of stored) expect([events, version]).toEqual([1, 1]);
}

test('requests of teams sent at once are answered as in some order one after the other', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(requested, { minLength: 2, maxLength: 36 }), async (requests) => {
      const teams = await Promise.all(Array.from({ length: teamCount }, newSubscribedTeam));
      const sent = teams.map((_, at) => bodiesOf(requests.filter(({ team }) => team === at)));
      // In the order of the requests, so that those of the teams alternate.
      const waiting = sent.map((bodies) => [...bodies]);
      const answered: { at: number; request: ReturnType<typeof bodiesOf>[number]; reply: Reply }[] =
        await Promise.all(
          requests.map(async ({ team: at }) => {
            const request = waiting[at]?.shift();
            const team = teams[at];
            if (!request || !team) throw new Error('each request has its team');
            const { key, body } = request;
            const headers = key === undefined ? {} : { 'Idempotency-Key': `key-${String(key)}` };
            return { at, request, reply: await team.post(contacts, body, headers) };
          }),
        );
      for (const [at, team] of teams.entries()) {
        await checkAnswers(
          team,
          answered.filter((one) => one.at === at),
        );
      }
    }),
    { numRuns: 40 },
  );
});

test('one request that fails by itself does not fail the others, of its team or of others', async () => {
  const team = await newSubscribedTeam();
  const others = await Promise.all(Array.from({ length: 3 }, newSubscribedTeam));
  // A trigger that refuses one name stands for what nobody foresees.
  await team.db.look(
    (sql) => sql<object[]>`
      create function refuse_contact() returns trigger language plpgsql as $$
      begin
        if new.first_name = 'Refused' then raise exception 'refused'; end if;
        return new;
      end $$`,
  );
  await team.db.look(
    (sql) => sql<object[]>`
      create trigger refuse_contact before insert on contacts
      for each row execute function refuse_contact()`,
  );
  const names = Array.from({ length: 20 }, (_, at) =>
    at === 7 ? 'Refused' : `Robin ${String(at)}`,
  );
  const email = 'robin@example.com';
  const replies = await Promise.all([
    ...names.map((first_name) => team.post(contacts, { first_name, email })),
    ...others.map((other) => other.post(contacts, { first_name: 'Ada', email })),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([
    ...names.map((name) => (name === 'Refused' ? 500 : 201)),
    ...others.map(() => 201),
  ]);
});
