import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { askForEvaluation } from '../../src/cohorts/edit.ts';
import { evaluateCohort } from '../../src/cohorts/evaluation/evaluate.ts';
import { followChanges } from '../../src/cohorts/realtime/follow.ts';
import { lockCohort } from '../../src/cohorts/queries.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { Reply, TestTeam } from '../support/api.ts';
import { untilTrue } from '../support/eventually.ts';
import { readFacts } from './facts.ts';
import { belongs } from './judge.ts';
import { createLog } from '../../src/platform/observability/log.ts';

const silent = createLog('silent', 'worker');

// Without a worker: these tests follow the changes themselves, several at once.
const path = '/v2/partner/cohorts';
const contactsPath = '/v2/partner/contacts';
const api = useTestApi();

const settled = { isCaughtUp: true };
const follow = (team: TestTeam) =>
  api.db.database.transact((sql) => followChanges(sql, silent, team.id), { deadlineMs: 30_000 });
const evaluate = (team: TestTeam, id: string) => {
  const now = new Date().toISOString();
  return api.db.database.transact((sql) => evaluateCohort(sql, team.id, id, now, settled));
};

/** All pending work: evaluations that are due, and then the changes. */
async function settle(team: TestTeam): Promise<void> {
  const due = await team.db.look<{ id: string }>(
    (sql) => sql`
      select id from cohorts where team_id = ${team.id} and next_evaluation_at <= now()`,
  );
  for (const { id } of due) await evaluate(team, id);
  const { changes } = await follow(team);
  if (due.length > 0 || changes > 0) await settle(team);
}

async function make(team: TestTeam, at: string, body: object): Promise<string> {
  const reply = await team.post(at, body);
  if (reply.status >= 300) throw new Error(`POST ${at}: ${JSON.stringify(reply.body)}`);
  return String(reply.body.id);
}
const aCohort = (team: TestTeam, definition: object) =>
  make(team, path, { name: randomUUID(), kind: 'dynamic', definition });
const aContact = (team: TestTeam, fields: object = {}) =>
  make(team, contactsPath, { unique_id: randomUUID(), ...fields });
const membersOf = async (team: TestTeam, id: string) =>
  (
    await team.db.look<{ contact_id: string }>(
      (sql) => sql`
        select contact_id from cohort_members where team_id = ${team.id} and cohort_id = ${id}
        order by contact_id`,
    )
  ).map(({ contact_id }) => contact_id);
const noted = async (team: TestTeam) => {
  const [row] = await team.db.look<{ count: number }>(
    (sql) => sql`select count(*)::int as count from cohort_changes where team_id = ${team.id}`,
  );
  return row?.count;
};
const inLocale = (value: string) => ({ field: 'contact.locale', op: 'eq', value });

const locale = fc.constantFrom('en', 'de', 'fr');
const tag = fc.constantFrom('vip', 'new');
const day = 86_400_000;
const leafWith = (lists: readonly string[]) =>
  fc.oneof(
    fc.record({
      field: fc.constant('contact.locale'),
      op: fc.constantFrom('eq', 'neq'),
      value: locale,
    }),
    fc.record({ field: fc.constant('contact.tags'), op: fc.constant('contains'), value: tag }),
    fc.record({
      field: fc.constant('contact.attributes.score'),
      op: fc.constantFrom('gte', 'lt'),
      value: fc.nat(3),
    }),
    fc.record({
      field: fc.constant('contact.last_engaged_at'),
      op: fc.constantFrom('within_last', 'older_than'),
      value: fc.constantFrom('P3D', 'P1M'),
    }),
    fc.record({
      account: fc.record({
        where: fc.constantFrom(
          [],
          [{ field: 'kind', op: 'eq', value: 'deposit' }],
          [{ field: 'balance_cents', op: 'gte', value: 2 }],
          [{ field: 'status', op: 'eq', value: 'closed' }],
        ),
        count: fc.record({ op: fc.constantFrom('gte', 'eq'), value: fc.nat(2) }),
      }),
    }),
    fc.record({
      objective: fc.record({ key: fc.constant('direct-deposit'), completed: fc.boolean() }),
    }),
    fc.record({
      event: fc.record({
        kind: fc.constantFrom('page.viewed', 'custom'),
        times: fc.record({ op: fc.constantFrom('gte', 'eq'), value: fc.nat(2) }),
        within: fc.constantFrom('P5D', 'P1Y'),
      }),
    }),
    fc.record({
      consent: fc.record({
        channel: fc.constant('sms'),
        status: fc.constantFrom('subscribed', 'never'),
      }),
    }),
    fc.record({
      cohort: fc.record({ id: fc.constantFrom(...lists), member: fc.boolean() }),
    }),
  );
const treeWith = (lists: readonly string[]) => {
  const leaf = leafWith(lists);
  const group = fc.record({
    op: fc.constantFrom('all', 'any', 'none'),
    rules: fc.array(leaf, { minLength: 1, maxLength: 3 }),
  });
  return fc.oneof(
    leaf,
    fc.record({
      op: fc.constantFrom('all', 'any', 'none'),
      rules: fc.array(fc.oneof(leaf, group), { minLength: 1, maxLength: 3 }),
    }),
  );
};

/** One thing that a client does to a contact, or to a static cohort. */
type Deed = (team: TestTeam, contact: string, list: string) => Promise<Reply>;
const patch = (fields: object): Deed => {
  return (team, contact) => team.patch(`${contactsPath}/${contact}`, fields);
};
const firstOf = async (team: TestTeam, at: string): Promise<string> =>
  String((await team.get(at)).body.data?.[0]?.id ?? randomUUID());
const accountOf = (team: TestTeam, contact: string) =>
  firstOf(team, `${contactsPath}/${contact}/accounts`);
const daysAgo = (days: number) => new Date(Date.now() - days * day - 60_000).toISOString();
const open =
  (account: object): Deed =>
  (team, contact) =>
    team.post(`${contactsPath}/${contact}/accounts`, { ...account, opened_at: daysAgo(1) });
const report =
  (kind: string, days: number): Deed =>
  (team, contact) =>
    team.post('/v2/partner/engagement-events', {
      events: [{ kind, contact_id: contact, occurred_at: daysAgo(days) }],
    });

/** In an order in which each is possible. */
const deeds: Readonly<Record<string, Deed>> = {
  'a patch': patch({ first_name: 'Ada' }),
  'a consent': (team, contact) =>
    team.call('PUT', `${contactsPath}/${contact}/consents/sms`, {
      body: { status: 'subscribed', source: 'branch' },
    }),
  'an account': open({ kind: 'loan', balance_cents: 2 }),
  'a balance': async (team, contact) =>
    team.patch(`/v2/partner/accounts/${await accountOf(team, contact)}`, { balance_cents: 1 }),
  'an account that is closed': async (team, contact) =>
    team.post(`/v2/partner/accounts/${await accountOf(team, contact)}/close`, {}),
  'an account that is deleted': async (team, contact) =>
    team.delete(`/v2/partner/accounts/${await accountOf(team, contact)}`),
  'a completion': async (team, contact) => {
    const [objective] = await team.db.look<{ id: string }>(
      (sql) => sql`
        select id from objectives where team_id = ${team.id} and key = 'direct-deposit'`,
    );
    return team.post(`/v2/partner/objectives/${objective?.id ?? ''}/completions`, {
      contact_id: contact,
    });
  },
  'a completion that is voided': async (team, contact) => {
    const completion = await firstOf(team, `${contactsPath}/${contact}/objective-completions`);
    return team.post(`/v2/partner/objectives/completions/${completion}/void`, {
      reason: 'a mistake',
    });
  },
  'an event': report('custom', 1),
  'a list that it is added to': (team, contact, list) =>
    team.post(`${path}/${list}/members/add`, { contact_ids: [contact] }),
  'a list that it is removed from': (team, contact, list) =>
    team.post(`${path}/${list}/members/remove`, { contact_ids: [contact] }),
  'the archive': (team, contact) => team.delete(`${contactsPath}/${contact}`),
};
const deed: fc.Arbitrary<Deed> = fc.oneof(
  locale.map((value) => patch({ locale: value })),
  fc.uniqueArray(tag).map((tags) => patch({ tags })),
  fc.nat(3).map((score) => patch({ attributes: { score } })),
  fc
    .record({ kind: fc.constantFrom('deposit', 'loan'), balance_cents: fc.nat(3) })
    .map((account) => open(account)),
  fc.tuple(fc.constantFrom('page.viewed', 'custom'), fc.nat(9)).map((about) => report(...about)),
  fc.constantFrom(...Object.values(deeds)),
);

test('each change that can affect a cohort is recorded', async () => {
  const team = await api.newTeam();
  const list = await make(team, path, { name: 'list', kind: 'static' });
  await aCohort(team, { cohort: { id: list, member: true } });
  const contact = await aContact(team);
  for (const [name, act] of Object.entries(deeds)) {
    await settle(team);
    const { status } = await act(team, contact, list);
    const changed = await team.db.look<{ contact_id: string }>(
      (sql) => sql`select distinct contact_id from cohort_changes where team_id = ${team.id}`,
    );
    expect({ name, isDone: status < 300, changed }).toEqual({
      ...{ name, isDone: true },
      changed: [{ contact_id: contact }],
    });
  }
});

test('after any concurrent changes and evaluations, the members are those that an independent model finds', async () => {
  let [moves, done] = [0, 0];
  const [someLists, plan] = [
    4,
    fc.array(fc.tuple(fc.nat(9), deed), { minLength: 40, maxLength: 60 }),
  ];
  await fc.assert(
    fc.asyncProperty(plan, fc.infiniteStream(fc.nat()), async (deeds, seeds) => {
      const team = await api.newTeam();
      const list = await make(team, path, { name: 'list', kind: 'static' });
      const definitions = new Map<string, any>();
      // Each may name those before it, so that a change goes on through them.
      const lists = [list];
      for (let made = 0; made < 8; made += 1) {
        const seed = seeds.next().value ?? 0;
        const [definition] = fc.sample(treeWith(lists), { numRuns: 1, seed });
        const id = await aCohort(team, definition ?? inLocale('en'));
        definitions.set(id, definition);
        if (lists.length < someLists - 1) lists.push(id);
      }
      const contacts = await Promise.all(
        Array.from({ length: 10 }, () => aContact(team, { locale: 'en' })),
      );
      let isOver = false;
      const following = [follow, follow, settle].map(async (how) => {
        while (!isOver) {
          const followed = await how(team);
          moves += followed?.moved ?? 0;
        }
      });
      const queues = contacts.map((contact, at) =>
        deeds
          .filter(([whose]) => whose === at)
          .map(
            ([, one]) =>
              () =>
                one(team, contact, list),
          ),
      );
      await Promise.all(
        queues.map(async (queue) => {
          // An action that another one has made impossible is refused.
          for (const act of queue) {
            const { status } = await act();
            if (status >= 300 && ![404, 409, 422].includes(status)) throw new Error(String(status));
            done += Number(status < 300);
          }
        }),
      );
      isOver = true;
      await Promise.all(following);
      await settle(team);

      const facts = await readFacts(team.id, (work) => team.db.look(work), Date.now());
      for (const [id, definition] of definitions) {
        const wanted = facts
          .filter((one) => one.contact.status !== 'archived' && belongs(definition, one))
          .map(({ contact }) => String(contact.id))
          .sort();
        const found = await membersOf(team, id);
        expect({ definition, members: found }).toEqual({ definition, members: wanted });
        const { body } = await team.get(`${path}/${id}`);
        expect(body).toMatchObject({ member_count: wanted.length, evaluation_status: 'ready' });
        const [contact = ''] = contacts;
        const told = await team.get(`${path}/${id}/members/${contact}/explain`);
        if (told.status === 404) continue;
        expect(told.body.is_member).toBe(told.body.belongs);
      }
    }),
    { numRuns: 6, seed: Number(process.env['FC_SEED'] ?? 5), endOnFailure: true },
  );
  expect(moves).toBeGreaterThan(20);
  expect(done).toBeGreaterThan(150);
});

test('a team without real-time cohorts records no changes', async () => {
  const team = await api.newTeam();
  await make(team, path, {
    name: 'slow',
    kind: 'dynamic',
    evaluation_mode: 'scheduled',
    definition: inLocale('en'),
  });
  const contact = await aContact(team, { locale: 'en' });
  await team.patch(`${contactsPath}/${contact}`, { locale: 'de' });
  expect(await noted(team)).toBe(0);
  const cohort = await aCohort(team, inLocale('en'));
  await team.patch(`${contactsPath}/${contact}`, { locale: 'en' });
  expect(await noted(team)).toBe(1);
  await team.post(`${path}/${cohort}/archive`);
  await team.patch(`${contactsPath}/${contact}`, { locale: 'fr' });
  expect(await noted(team)).toBe(1);
});

test('a change during the evaluation of a cohort is evaluated again', async () => {
  const team = await api.newTeam();
  const cohort = await aCohort(team, inLocale('en'));
  const contact = await aContact(team, { locale: 'en' });
  await settle(team);
  expect(await membersOf(team, cohort)).toEqual([contact]);
  await api.db.database.transact(async (sql) => {
    await evaluateCohort(sql, team.id, cohort, new Date().toISOString(), settled);
    await team.patch(`${contactsPath}/${contact}`, { locale: 'de' });
    // The evaluation holds the lock of the cohort, so the change stays pending.
    expect(await follow(team)).toMatchObject({ changes: 1, moved: 0 });
    expect(await follow(team)).toMatchObject({ changes: 0 });
  });
  expect(await membersOf(team, cohort)).toEqual([contact]);
  await settle(team);
  expect(await membersOf(team, cohort)).toEqual([]);
  expect(await noted(team)).toBe(0);
});

test('an evaluation that is requested during another one remains pending', async () => {
  const team = await api.newTeam();
  const cohort = await aCohort(team, inLocale('en'));
  const isWaiting = async () => {
    const rows = await team.db.look(
      (sql) => sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  };
  const evaluated = await api.db.database.transact(async (sql) => {
    const row = await lockCohort(sql, team.id, cohort);
    // It has found the members and waits for the lock to record the result.
    const evaluating = evaluate(team, cohort);
    await untilTrue(isWaiting);
    await askForEvaluation(sql, row);
    return { evaluating };
  });
  const { cohort: after } = await evaluated.evaluating;
  expect(after).toMatchObject({ evaluation_status: 'queued', is_caught_up: false });
  const again = await evaluate(team, cohort);
  expect(again.cohort).toMatchObject({ evaluation_status: 'ready', is_caught_up: true });
});

test('a cohort that cannot be evaluated is named in the error and blocks no other cohort', async () => {
  const team = await api.newTeam();
  const [broken, good] = [await aCohort(team, inLocale('en')), await aCohort(team, inLocale('en'))];
  await settle(team);
  await team.db.look(
    (sql) => sql`
      update cohorts set definition = '{"field": "contact.nothing", "op": "eq", "value": "x"}'
      where team_id = ${team.id} and id = ${broken}`,
  );
  const contact = await aContact(team, { locale: 'en' });
  await expect(follow(team)).rejects.toMatchObject({ cohort: { id: broken } });
  expect(await noted(team)).toBe(1);
  await team.db.look(
    (sql) => sql`
      update cohorts set evaluation_status = 'failed'
      where team_id = ${team.id} and id = ${broken}`,
  );
  await follow(team);
  expect(await membersOf(team, good)).toEqual([contact]);
});

test('member events reach only subscriptions that name these event types', async () => {
  const team = await api.newTeam();
  const subscribe = (types: readonly string[]) =>
    make(team, '/v2/partner/webhook-subscriptions', {
      target_url: 'http://127.0.0.1:9999/hook',
      event_types: types,
    });
  const named = await subscribe(['cohort.member_added', 'cohort.member_removed']);
  await subscribe(['cohort.*']);
  const list = await make(team, path, { name: 'list', kind: 'static' });
  const cohort = await aCohort(team, { cohort: { id: list, member: true } });
  const contact = await aContact(team);
  await settle(team);
  await team.post(`${path}/${list}/members/add`, { contact_ids: [contact] });
  await settle(team);
  await team.post(`${path}/${list}/members/remove`, { contact_ids: [contact] });
  await settle(team);
  const told = await team.db.look<{ type: string; body: string; subscription_id: string }>(
    (sql) => sql`
      select e.type, e.body, d.subscription_id
      from webhook_events e
      join webhook_deliveries d on d.day = e.day and d.event_id = e.id
      where e.team_id = ${team.id} and e.type like 'cohort.member%'`,
  );
  expect(new Set(told.map(({ subscription_id }) => subscription_id))).toEqual(new Set([named]));
  const seen = told.map(({ type, body }) => `${type} ${String(JSON.parse(body).data.cohort_id)}`);
  expect(seen.sort()).toEqual(
    ['added', 'removed']
      .flatMap((what) => [cohort, list].map((id) => `cohort.member_${what} ${id}`))
      .sort(),
  );
  expect(JSON.parse(told[0]?.body ?? '{}').data).toMatchObject({
    type: 'cohort_member',
    contact_id: contact,
    joined_at: expect.stringMatching(/Z$/),
  });
});
