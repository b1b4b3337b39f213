import { createHash, randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { collectValues } from '../../src/platform/lists/statement.ts';
import { parseDefinition } from '../../src/cohorts/definition/parse.ts';
import { predicateOf } from '../../src/cohorts/definition/predicate.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { belongs } from './judge.ts';
import type { Facts } from './judge.ts';

const api = useTestApi();
let team: TestTeam;
let people: Facts[];
const now = '2028-02-29T12:00:00.000Z';
const nowMs = Date.parse(now);
const cohortIds = [randomUUID(), randomUUID()];
const templateIds = [randomUUID(), randomUUID()];
const objectiveKeys = new Map<string, string>();

const day = 86_400_000;
const words = ['ada', 'Ada', 'ADA_1', 'b%c', 'müller', 'Müller', '', 'x'] as const;
const word = fc.constantFrom(...words.filter((one) => one !== ''));
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 3 });
const moment = fc.oneof(
  fc.integer({ min: -800, max: 60 }).map((days) => nowMs + days * day),
  fc.integer({ min: -5, max: 5 }).map((hours) => nowMs + hours * 3_600_000),
  fc.constantFrom(...[0, 30, 365, 366].map((days) => nowMs - days * day)),
  fc.integer({ min: 2001, max: 2027 }).map((year) => Date.UTC(year, 1, 28, 12)),
  fc.constantFrom(Date.UTC(2024, 1, 29, 12), Date.UTC(2020, 1, 29, 13)),
);
const time = moment.map((ms) => new Date(ms).toISOString());
const scalar = fc.oneof(word, fc.constantFrom(1, 2, 2.5, -3), fc.boolean());
const attribute = fc.oneof(scalar, fc.array(word, { maxLength: 2 }));
const attributes = fc.dictionary(fc.constantFrom('tier', 'score', 'vip'), attribute, {
  maxKeys: 3,
});

const person = fc.record({
  first_name: maybe(word),
  last_name: maybe(word),
  email: maybe(fc.constantFrom('a@example.com', 'B@example.com')),
  locale: maybe(fc.constantFrom('en', 'de-CH')),
  tags: fc.uniqueArray(word, { maxLength: 3 }),
  attributes,
  consents: fc.record({
    email: fc.record({ status: fc.constantFrom('never', 'subscribed') }),
    sms: fc.record({ status: fc.constantFrom('never', 'unsubscribed') }),
    push: fc.record({ status: fc.constantFrom('never', 'pending') }),
  }),
  last_engaged_at: maybe(time),
  inserted_at: time,
  cohorts: fc.subarray(cohortIds),
  journeys: fc.uniqueArray(
    fc.record({
      template_id: fc.constantFrom(...templateIds),
      status: fc.constantFrom('scheduled', 'active', 'completed'),
    }),
    { selector: ({ template_id }) => template_id, maxLength: 2 },
  ),
  accounts: fc.array(
    fc.record({
      kind: fc.constantFrom('deposit', 'loan'),
      balance_cents: maybe(fc.integer({ min: -3, max: 3 })),
      opened_at: maybe(time),
      is_primary: fc.boolean(),
      attributes,
    }),
    { maxLength: 3 },
  ),
  completions: fc.array(fc.record({ at: time, which: fc.nat(1), isVoid: fc.boolean() }), {
    maxLength: 2,
  }),
  events: fc.array(
    fc.record({
      kind: fc.constantFrom('message.opened', 'custom'),
      at: moment.filter((ms) => ms > Date.UTC(2027, 0, 1)).map((ms) => new Date(ms).toISOString()),
      is_machine: fc.boolean(),
      value_cents: maybe(fc.nat(3)),
      properties: maybe(attributes),
    }),
    { maxLength: 4 },
  ),
});

beforeAll(async () => {
  team = await api.newTeam();
  // The months of the clock that this test has chosen.
  await api.db.look(
    (sql) => sql`create table engagement_events_rest partition of engagement_events default`,
  );
  const objectives = await api.db.look(
    (sql) => sql<{ id: string; key: string }[]>`
      select id, key from objectives where team_id = ${team.id} order by key limit 2`,
  );
  for (const { id, key } of objectives) objectiveKeys.set(key, id);
  await api.db.look(
    (sql) => sql`
      insert into templates (team_id, id, name)
      select ${team.id}, id, 'T' from unnest(${templateIds}::uuid[]) as t (id)`,
  );
  people = [];
  // One after the other: parallel reads would wait too long for a connection on a busy machine.
  for (const one of fc.sample(person, { numRuns: 150, seed: 7 })) people.push(await keep(one));
});

async function keep(one: any): Promise<Facts> {
  const id = randomUUID();
  const { accounts, completions, events, journeys, cohorts, ...contact } = one;
  const keys = [...objectiveKeys.values()];
  await api.db.look(async (sql) => {
    await sql`
      insert into contacts (team_id, id, unique_id, first_name, last_name, email, locale, tags,
        attributes, consents, last_engaged_at, inserted_at)
      values (${team.id}, ${id}, ${id}, ${contact.first_name}, ${contact.last_name},
        ${contact.email}, ${contact.locale}, ${contact.tags}, ${sql.json(contact.attributes)},
        ${sql.json(contact.consents)}, ${contact.last_engaged_at}, ${contact.inserted_at})`;
    for (const account of accounts) {
      await sql`
        insert into accounts (team_id, contact_id, kind, balance_cents, opened_at, currency,
          is_primary, attributes)
        values (${team.id}, ${id}, ${account.kind}, ${account.balance_cents}, ${account.opened_at},
          'USD', ${account.is_primary}, ${sql.json(account.attributes)})`;
    }
    for (const { at, which, isVoid } of completions) {
      await sql`
        insert into objective_completions (team_id, objective_id, contact_id, completed_at,
          value_cents, source, attribution, repeat_key, voided_at)
        values (${team.id}, ${keys[which] ?? ''}, ${id}, ${at}, 1, 'api', 'none', ${randomUUID()},
          ${isVoid ? at : null})`;
    }
    for (const event of events) {
      await sql`
        insert into engagement_events (team_id, id, kind, contact_id, occurred_at, source,
          is_machine, value_cents, properties)
        values (${team.id}, ${randomUUID()}, ${event.kind}, ${id}, ${event.at}, 'api',
          ${event.is_machine}, ${event.value_cents}, ${event.properties && sql.json(event.properties)})`;
    }
    for (const { template_id, status } of journeys) {
      await sql`
        insert into journeys (team_id, template_id, template_version, contact_id, status,
          enrolled_via, started_at, completed_at)
        values (${team.id}, ${template_id}, 1, ${id}, ${status}, 'api', now(),
          case when ${status} = 'completed' then now() end)`;
    }
    for (const cohort of cohorts) {
      await sql`
        insert into cohorts (team_id, id, name, kind, evaluation_mode)
        values (${team.id}, ${cohort}, ${cohort}, 'static', 'on_demand') on conflict do nothing`;
      await sql`
        insert into cohort_members (team_id, cohort_id, contact_id)
        values (${team.id}, ${cohort}, ${id})`;
    }
    return [];
  });
  const dated = (row: any, ...names: string[]) => {
    const copy = { ...row };
    for (const name of names) copy[name] = copy[name] && new Date(copy[name]);
    return copy;
  };
  return {
    contact: dated({ ...contact, id }, 'last_engaged_at', 'inserted_at'),
    accounts: accounts.map((row: any) => dated(row, 'opened_at')),
    completions: completions.map(({ at, which, isVoid }: any) => ({
      objective_id: keys[which],
      completed_at: new Date(at),
      voided_at: isVoid ? at : null,
    })),
    events: events.map((row: any) => ({ ...row, occurred_at: new Date(row.at) })),
    journeys,
    objectiveKeys,
    cohorts: new Set(cohorts),
    nowMs,
    md5: (text) => createHash('md5').update(text).digest('hex'),
  };
}

const span = fc.constantFrom('P30D', 'P1M', 'P1Y', 'PT5H', 'P1Y1M1DT1H', 'P2W', 'P0D');
const list = <T>(of: fc.Arbitrary<T>) => fc.uniqueArray(of, { minLength: 1, maxLength: 3 });
const presence = fc.constantFrom('present', 'missing').map((op) => ({ op }));
const onText = (value: fc.Arbitrary<string>) =>
  fc.oneof(
    presence,
    fc.record({ op: fc.constantFrom('eq', 'neq', 'contains', 'starts_with', 'ends_with'), value }),
    fc.record({ op: fc.constantFrom('in', 'nin'), value: list(value) }),
  );
const onTime = fc.oneof(
  presence,
  fc.record({ op: fc.constantFrom('eq', 'neq', 'lt', 'lte', 'gt', 'gte'), value: time }),
  fc.record({ op: fc.constantFrom('in', 'nin'), value: list(time) }),
  fc.record({
    op: fc.constantFrom(
      'within_last',
      'not_within_last',
      'older_than',
      'in_next',
      'anniversary_in_next',
    ),
    value: span,
  }),
);
const onNumber = fc.oneof(
  presence,
  fc.record({
    op: fc.constantFrom('eq', 'neq', 'lt', 'lte', 'gt', 'gte'),
    value: fc.integer({ min: -3, max: 3 }),
  }),
);
const onFlag = fc.oneof(
  presence,
  fc.record({ op: fc.constantFrom('eq', 'neq'), value: fc.boolean() }),
);
const onAttribute = fc.oneof(
  onText(word),
  fc.record({ op: fc.constantFrom('eq', 'neq'), value: scalar }),
  fc.record({ op: fc.constantFrom('in', 'nin'), value: list(scalar) }),
  fc.record({
    op: fc.constantFrom('lt', 'lte', 'gt', 'gte'),
    value: fc.oneof(word, fc.constantFrom(1, 2, 2.5, -3)),
  }),
);
const about = (name: string, tests: fc.Arbitrary<object>) =>
  tests.map((one) => ({ field: name, ...one }));
const key = fc.constantFrom('tier', 'score', 'vip');
const attributeOf = (object: string) =>
  fc.tuple(key, onAttribute).map(([name, one]) => ({ field: `${object}.${name}`, ...one }));
const count = fc.record({
  op: fc.constantFrom('eq', 'neq', 'lt', 'lte', 'gt', 'gte'),
  value: fc.nat(2),
});
const optional = { requiredKeys: [] };

const leaf = fc.oneof(
  about('contact.first_name', onText(word)),
  about('contact.email', onText(fc.constantFrom('a@example.com', 'B@EXAMPLE.com', 'b'))),
  about(
    'contact.tags',
    fc.oneof(presence, fc.record({ op: fc.constant('contains'), value: word })),
  ),
  about('contact.last_engaged_at', onTime),
  about('contact.inserted_at', onTime),
  attributeOf('contact.attributes'),
  fc.record({
    account: fc.record(
      {
        match: fc.constantFrom('any', 'none'),
        where: fc.array(
          fc.oneof(
            about('kind', onText(fc.constantFrom('deposit', 'loan'))),
            about('balance_cents', onNumber),
            about('opened_at', onTime),
            about('is_primary', onFlag),
            attributeOf('attributes'),
          ),
          { maxLength: 2 },
        ),
        count,
      },
      optional,
    ),
  }),
  fc
    .tuple(fc.nat(1), fc.boolean(), fc.record({ completed: fc.boolean(), within: span }, optional))
    .map(([which, isByKey, rest]) => {
      const [key, id] = [...objectiveKeys][which] ?? [];
      return { objective: { ...(isByKey ? { key } : { id }), ...rest } };
    }),
  fc.record({
    event: fc
      .record(
        {
          where: fc.array(
            fc.oneof(
              about('is_machine', onFlag),
              about('value_cents', onNumber),
              about('occurred_at', onTime),
              attributeOf('properties'),
            ),
            { maxLength: 2 },
          ),
          times: count,
          within: span,
        },
        optional,
      )
      .chain((rest) =>
        fc.constantFrom('message.opened', 'custom').map((kind) => ({ kind, ...rest })),
      ),
  }),
  fc.record({
    cohort: fc.record({ id: fc.constantFrom(...cohortIds), member: fc.boolean() }),
  }),
  fc.record({
    journey: fc
      .record({
        template_id: fc.constantFrom(...templateIds),
        status: fc.constantFrom('active', ['scheduled'], ['active', 'completed'], []),
      })
      .chain((journey) => fc.constantFrom(journey, { template_id: journey.template_id })),
  }),
  fc.record({
    consent: fc.record({
      channel: fc.constantFrom('email', 'sms', 'push'),
      status: fc.constantFrom('never', 'subscribed', 'unsubscribed', 'pending'),
    }),
  }),
  fc.record({ random: fc.record({ percent: fc.constantFrom(0, 10, 33.3, 100), salt: word }) }),
);
const tree = fc.letrec<{ rule: object }>((tie) => ({
  rule: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.record({
      op: fc.constantFrom('all', 'any', 'none'),
      rules: fc.array(tie('rule'), { minLength: 1, maxLength: 3 }),
    }),
  ),
})).rule;

const reaches = ['some', 'all'] as const;

test.each(reaches)(
  'for %s contacts a definition matches the contacts that an independent model of whole rows finds',
  async (reach) => {
    let [inside, outside] = [0, 0];
    await fc.assert(
      fc.asyncProperty(tree, async (definition) => {
        const read = parseDefinition(definition);
        if ('problems' in read) throw new Error(JSON.stringify(read.problems));
        const { values, bind } = collectValues([team.id]);
        const predicate = predicateOf(read.rule, bind, now, reach);
        const rows = await api.db.look<{ id: string }>((sql) =>
          sql.unsafe(`select t.id from contacts t where t.team_id = $1 and ${predicate}`, values),
        );
        const found = new Set(rows.map(({ id }) => id));
        for (const facts of people) {
          const requested = belongs(definition, facts);
          if (requested) inside += 1;
          else outside += 1;
          if (found.has(facts.contact.id) !== requested) {
            throw new Error(
              `${requested ? 'left out' : 'taken in'}: ${JSON.stringify(facts.contact)} ` +
                JSON.stringify({ ...facts, contact: 0 }),
            );
          }
        }
      }),
      { numRuns: 400, seed: Number(process.env['FC_SEED'] ?? 11) },
    );
    expect(Math.min(inside, outside)).toBeGreaterThan(10_000);
  },
);
