import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi } from '../support/api.ts';
import type { Reply, TestApi, TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startTestWorker } from '../support/worker.ts';
import type { TestWorker } from '../support/worker.ts';

const path = '/v2/partner/cohorts';
const contactsPath = '/v2/partner/contacts';
let api: TestApi;
let worker: TestWorker;
let team: TestTeam;
beforeAll(async () => {
  api = await startTestApi();
  worker = await startTestWorker(api);
});
afterAll(async () => {
  await worker.close();
  await api.stop();
});
beforeAll(async () => {
  team = await api.newTeam();
});

const codeOf = ({ status, body }: Reply) => `${String(status)} ${String(body.errors[0].code)}`;
const faults = ({ body }: Reply) =>
  body.errors.map(({ meta }: any) => `${String(meta.pointer)} ${String(meta.rule)}`);
const contact = async (fields: object = {}, of = team) =>
  (await of.post(contactsPath, { unique_id: randomUUID(), ...fields })).body;
const inLocale = (value: string) => ({ field: 'contact.locale', op: 'eq', value });
const dynamic = (definition: object, more: object = {}) => ({
  name: randomUUID(),
  kind: 'dynamic',
  definition,
  ...more,
});
const made = async (body: object, of = team) => (await of.post(path, body)).body;
const membersOf = async (id: string, of = team) =>
  (await of.get(`${path}/${id}/members?page[size]=100`)).body.data
    .map(({ contact_id }: any) => contact_id)
    .sort();
const evaluated = (id: string) =>
  eventually(
    async () => (await team.get(`${path}/${id}`)).body,
    ({ evaluation_status }) => evaluation_status === 'ready',
  );

describe('a static cohort', () => {
  test('is a list: contacts are added and removed, each once', async () => {
    const list = await made({ name: 'VIPs', kind: 'static' });
    expect(list).toMatchObject({ member_count: 0, evaluation_mode: 'on_demand', type: 'cohort' });
    const ids = [(await contact()).id, (await contact()).id];
    const added = await team.post(`${path}/${list.id}/members/add`, { contact_ids: ids });
    expect(added.body).toEqual({ cohort_id: list.id, changed: 2, member_count: 2 });
    const again = await team.post(`${path}/${list.id}/members/add`, { contact_ids: ids });
    expect(again.body).toMatchObject({ changed: 0, member_count: 2 });
    const [gone = ''] = ids;
    const removed = await team.post(`${path}/${list.id}/members/remove`, { contact_ids: [gone] });
    expect(removed.body).toMatchObject({ changed: 1, member_count: 1 });
    expect(await membersOf(list.id)).toEqual(ids.slice(1));
    const page = await team.get(`${path}/${list.id}/members?include=contact`);
    expect(page.body.data[0].relationships.contact.id).toBe(ids[1]);
    const ofContact = await team.get(`${contactsPath}/${ids[1] ?? ''}/cohorts`);
    expect(ofContact.body.data.map(({ id }: any) => id)).toEqual([list.id]);
  });

  test('accepts all contacts of a call or none, and names the unknown ones', async () => {
    const list = await made({ name: randomUUID(), kind: 'static' });
    const stranger = await contact({}, await api.newTeam());
    const known = await contact();
    const reply = await team.post(`${path}/${list.id}/members/add`, {
      contact_ids: [known.id, stranger.id, randomUUID()],
    });
    expect(faults(reply)).toEqual([
      '/contact_ids/1 reference_not_found',
      '/contact_ids/2 reference_not_found',
    ]);
    expect(await membersOf(list.id)).toEqual([]);
  });

  test('has no definition, and a dynamic one has no list', async () => {
    const both = { name: randomUUID(), kind: 'static', definition: inLocale('en') };
    expect(faults(await team.post(path, both))).toEqual(['/definition unknown_field']);
    expect(faults(await team.post(path, { name: randomUUID(), kind: 'dynamic' }))).toEqual([
      '/definition required',
    ]);
    const rules = await made(dynamic(inLocale('en'), { evaluation_mode: 'on_demand' }));
    const reply = await team.post(`${path}/${rules.id}/members/add`, {
      contact_ids: [(await contact()).id],
    });
    expect(codeOf(reply)).toBe('409 cohort_is_dynamic');
  });
});

describe('a dynamic cohort', () => {
  test('is evaluated when it is created, changed and unarchived', async () => {
    const [german, french] = [await contact({ locale: 'de' }), await contact({ locale: 'fr' })];
    const cohort = await made(dynamic(inLocale('de')));
    expect(cohort).toMatchObject({ evaluation_mode: 'realtime', refresh_interval_seconds: 3_600 });
    const first = await evaluated(cohort.id);
    expect(first).toMatchObject({ member_count: 1, definition_version: 1 });
    expect(await membersOf(cohort.id)).toEqual([german.id]);

    const changed = await team.patch(`${path}/${cohort.id}`, { definition: inLocale('fr') });
    expect(changed.body).toMatchObject({ definition_version: 2, evaluation_status: 'queued' });
    await evaluated(cohort.id);
    expect(await membersOf(cohort.id)).toEqual([french.id]);

    await team.post(`${path}/${cohort.id}/archive`);
    const late = await contact({ locale: 'fr' });
    await team.post(`${path}/${cohort.id}/unarchive`);
    await eventually(
      () => membersOf(cohort.id),
      (members) => members.includes(late.id),
    );
  });

  test('follows its schedule until it is archived', async () => {
    const cohort = await made(dynamic(inLocale('nl')));
    await evaluated(cohort.id);
    const dutch = await contact({ locale: 'nl' });
    const bringForward = () =>
      api.db.look(async (sql) => {
        await sql`
          update cohorts set next_evaluation_at = now() - interval '1 minute'
          where id = ${cohort.id} and next_evaluation_at is not null`;
        return sql`
          insert into workflow_outbox (workflow, key, team_id) values ('cohort', ${cohort.id}, ${team.id})
          returning id`;
      });
    await bringForward();
    await eventually(
      () => membersOf(cohort.id),
      (members) => members.includes(dutch.id),
    );
    await team.post(`${path}/${cohort.id}/archive`);
    const other = await made(dynamic(inLocale('nl')));
    const late = await contact({ locale: 'nl' });
    await bringForward();
    await eventually(
      () => membersOf(other.id),
      (members) => members.includes(dutch.id),
    );
    expect(await membersOf(cohort.id)).not.toContain(late.id);
  });

  test('is evaluated on demand, and its status can be polled', async () => {
    const cohort = await made(dynamic(inLocale('pt'), { evaluation_mode: 'on_demand' }));
    const one = await contact({ locale: 'pt' });
    expect(cohort.evaluation_status).toBe('never');
    const asked = await team.post(`${path}/${cohort.id}/evaluate`);
    expect(asked.status).toBe(202);
    const location = String(asked.headers.get('location'));
    expect(location).toBe(`${path}/${cohort.id}/evaluations/${asked.body.execution_id}`);
    // Without any scope of another surface, and not below another cohort.
    const client = await team.withScopes('partner:cohorts:execute');
    const polled = await client.get(location);
    expect(polled.body).toMatchObject({ type: 'operation_execution', id: asked.body.execution_id });
    expect((await client.get(location.replace(cohort.id, randomUUID()))).status).toBe(404);
    expect(asked.headers.get('retry-after')).toBe('1');
    expect(asked.body.evaluation_status).toBe('queued');
    await evaluated(cohort.id);
    expect(await membersOf(cohort.id)).toEqual([one.id]);
    const list = await made({ name: randomUUID(), kind: 'static' });
    const refused = await team.post(`${path}/${list.id}/evaluate`);
    expect(codeOf(refused)).toBe('409 invalid_state_transition');
  });

  test('records an event with its counts for each evaluation', async () => {
    const sink = await team.post('/v2/partner/webhook-subscriptions', {
      target_url: 'https://sink.example.com/',
      event_types: ['cohort.evaluated'],
    });
    const cohort = await made(dynamic(inLocale('it')));
    await evaluated(cohort.id);
    const told = await api.db.look(
      (sql) => sql<{ body: string }[]>`
        select body from webhook_events where resource_id = ${cohort.id}`,
    );
    const [{ body } = { body: '{}' }] = told;
    expect(JSON.parse(body)).toMatchObject({
      type: 'cohort.evaluated',
      data: { id: cohort.id, evaluation_status: 'ready' },
    });
    await team.delete(`/v2/partner/webhook-subscriptions/${String(sink.body.id)}`);
  });

  test('excludes archived contacts and those of other teams', async () => {
    const stranger = await api.newTeam();
    await contact({ locale: 'sv' }, stranger);
    const kept = await contact({ locale: 'sv' });
    const gone = await contact({ locale: 'sv' });
    await team.delete(`${contactsPath}/${String(gone.id)}`);
    const reply = await team.post(`${path}/preview`, { definition: inLocale('sv') });
    expect(reply.body).toEqual({ count: 1, sample_contact_ids: [kept.id] });
  });

  test('matches filter[cohort_id] of contacts, and the negated filter matches the other contacts', async () => {
    const own = await api.newTeam();
    const [inside, outside] = [await contact({ locale: 'pl' }, own), await contact({}, own)];
    const list = await made({ name: 'Poles', kind: 'static' }, own);
    await own.post(`${path}/${String(list.id)}/members/add`, { contact_ids: [inside.id] });
    const idsOf = async (query: string) =>
      (await own.get(`${contactsPath}?${query}`)).body.data.map(({ id }: any) => id);
    expect(await idsOf(`filter[cohort_id]=${String(list.id)}`)).toEqual([inside.id]);
    expect(await idsOf(`filter[cohort_id][neq]=${String(list.id)}`)).toEqual([outside.id]);
  });

  test('explains each of its rules for a contact', async () => {
    const person = await contact({ locale: 'da', tags: ['vip'] });
    const definition = {
      op: 'all',
      rules: [
        inLocale('da'),
        { op: 'none', rules: [{ field: 'contact.tags', op: 'contains', value: 'vip' }] },
      ],
    };
    const cohort = await made(dynamic(definition, { evaluation_mode: 'on_demand' }));
    const reply = await team.get(`${path}/${cohort.id}/members/${person.id}/explain`);
    expect(reply.body).toEqual({
      cohort_id: cohort.id,
      contact_id: person.id,
      is_member: false,
      belongs: false,
      leaves: [
        { pointer: '/definition/rules/0', holds: true },
        { pointer: '/definition/rules/1/rules/0', holds: true },
      ],
    });
  });
});

describe('a definition', () => {
  const refused = async (definition: unknown) =>
    faults(await team.post(`${path}/preview`, { definition }));

  test('is refused with every problem, each with its pointer', async () => {
    const definition = {
      op: 'all',
      rules: [
        { field: 'contact.nickname', op: 'eq', value: 'x' },
        { field: 'contact.locale', op: 'within_last', value: 'P1D' },
        { field: 'contact.last_engaged_at', op: 'within_last', value: 'yesterday' },
        { account: { where: [{ field: 'balance_cents', op: 'gt', value: '7' }] }, extra: 1 },
        { account: { where: [{ field: 'balance_cents', op: 'gt', value: '7' }] } },
        { op: 'some', rules: [] },
        { random: { percent: 101 } },
        7,
      ],
    };
    expect(await refused(definition)).toEqual([
      '/definition/rules/0/field enum',
      '/definition/rules/1/op enum',
      '/definition/rules/2/value format',
      '/definition/rules/3 one_of',
      '/definition/rules/4/account/where/0/value type',
      '/definition/rules/5/op enum',
      '/definition/rules/5/rules min_items',
      '/definition/rules/6/random/percent range',
      '/definition/rules/7 type',
    ]);
  });

  test('has at most six levels and a hundred leaves', async () => {
    const nested = (depth: number): object =>
      depth === 0 ? inLocale('en') : { op: 'all', rules: [nested(depth - 1)] };
    expect((await team.post(`${path}/preview`, { definition: nested(6) })).status).toBe(200);
    expect(await refused(nested(7))).toEqual([`/definition${'/rules/0'.repeat(6)} depth`]);
    const wide = (leaves: number) => ({
      op: 'any',
      rules: Array.from({ length: leaves }, () => inLocale('en')),
    });
    expect((await team.post(`${path}/preview`, { definition: wide(100) })).status).toBe(200);
    expect(await refused(wide(101))).toEqual(['/definition/rules max_items']);
  });

  test('names only cohorts of the team, without a cycle, at most three levels deep', async () => {
    const naming = (id: string) => ({ cohort: { id, member: true } });
    const own = { evaluation_mode: 'on_demand' };
    expect(await refused(naming(randomUUID()))).toEqual([
      '/definition/cohort/id reference_not_found',
    ]);
    const first = await made(dynamic(inLocale('en'), own));
    const second = await made(dynamic(naming(first.id), own));
    const circle = await team.patch(`${path}/${first.id}`, { definition: naming(second.id) });
    expect(faults(circle)).toEqual(['/definition/cohort/id cohort_cycle']);
    const itself = await team.patch(`${path}/${first.id}`, { definition: naming(first.id) });
    expect(faults(itself)).toEqual(['/definition/cohort/id cohort_cycle']);
    const third = await made(dynamic(naming(second.id), own));
    const fourth = await made(dynamic(naming(third.id), own));
    expect(fourth.id).toBeDefined();
    expect(await refused(naming(fourth.id))).toEqual(['/definition/cohort/id cohort_depth']);
  });
});

test('a name is unique regardless of case, and free again after its cohort is deleted', async () => {
  const cohort = await made({ name: 'Savers', kind: 'static' });
  const again = await team.post(path, { name: 'SAVERS', kind: 'static' });
  expect(codeOf(again)).toBe('409 name_taken');
  expect(again.body.errors[0].meta.id).toBe(cohort.id);
  await team.delete(`${path}/${cohort.id}`);
  expect((await team.post(path, { name: 'savers', kind: 'static' })).status).toBe(201);
});

test('a cohort that a launched template names is neither archived nor deleted', async () => {
  const cohort = await made({ name: randomUUID(), kind: 'static' });
  const objectives = await team.get('/v2/partner/objectives?page[size]=1');
  const templates = '/v2/partner/templates';
  const template = await team.post(templates, {
    name: 'Welcome',
    target_cohort_ids: [cohort.id],
    objective_ids: [objectives.body.data[0].id],
  });
  const message = { name: 'Welcome', channel: 'sms' };
  await team.post(`${templates}/${String(template.body.id)}/messages`, message);
  const launched = await team.post(`${templates}/${String(template.body.id)}/launch`);
  expect(launched.body.status).toBe('launched');
  for (const reply of [
    await team.post(`${path}/${cohort.id}/archive`),
    await team.delete(`${path}/${cohort.id}`),
  ]) {
    expect(codeOf(reply)).toBe('409 cohort_in_use');
    expect(reply.body.errors[0].meta.template_id).toBe(template.body.id);
  }
  const unknown = { name: 'Welcome', target_cohort_ids: [randomUUID()] };
  expect(faults(await team.post('/v2/partner/templates', unknown))).toEqual([
    '/target_cohort_ids/0 reference_not_found',
  ]);
});
