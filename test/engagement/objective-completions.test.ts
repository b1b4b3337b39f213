import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { eventTypesOf, eventsOf, subscribe } from '../support/recorded-events.ts';

const path = '/v2/partner/objectives';

const api = useTestApi();
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
  await subscribe(api, team);
});

async function anObjective(fields: object = {}, of = team): Promise<string> {
  const body = { name: 'Objective', key: `o-${randomUUID()}`, value_cents: 500, ...fields };
  const reply = await of.post(path, body);
  expect(reply.status).toBe(201);
  return reply.body.id;
}
async function aContact(of = team): Promise<string> {
  return (await of.post('/v2/partner/contacts', { unique_id: randomUUID() })).body.id;
}
const complete = (objective: string, body: object, of = team) =>
  of.post(`${path}/${objective}/completions`, body);
const countOf = async (objective: string) =>
  (await team.get(`${path}/${objective}`)).body.completion_count;

describe('objectives', () => {
  test('can change except for their key, and a full body sent back changes nothing', async () => {
    const id = await anObjective({ description: 'A' });
    const before = await team.get(`${path}/${id}`);
    const same = await team.patch(`${path}/${id}`, before.body);
    expect(same.headers.get('etag')).toBe('"1"');
    const changed = await team.patch(`${path}/${id}`, { description: null, value_cents: 7 });
    expect(changed.body).toMatchObject({ value_cents: 7, key: before.body.key });
    expect(changed.body).not.toHaveProperty('description');
    const refused = await team.patch(`${path}/${id}`, { key: 'another' });
    expect(refused.status).toBe(422);
    expect(refused.body.errors[0]).toMatchObject({
      code: 'immutable_field',
      meta: { pointer: '/key' },
    });
  });

  test('an archived objective is hidden, cannot be completed, and can be unarchived', async () => {
    const id = await anObjective();
    expect((await team.post(`${path}/${id}/archive`)).body).toHaveProperty('archived_at');
    const twice = await team.post(`${path}/${id}/archive`);
    expect(twice.body.errors[0]).toMatchObject({
      code: 'invalid_state_transition',
      meta: { state: 'archived', action: 'archive', allowed_actions: ['unarchive'] },
    });
    const { body } = await team.get(`${path}?page[size]=100`);
    expect(body.data.map((row: any) => row.id)).not.toContain(id);
    const refused = await complete(id, { contact_id: await aContact() });
    expect(refused.status).toBe(409);
    expect((await team.post(`${path}/${id}/unarchive`)).body).not.toHaveProperty('archived_at');
    expect((await complete(id, { contact_id: await aContact() })).status).toBe(201);
  });

  test('a completed objective cannot be deleted, and an unused one can', async () => {
    const [used, unused] = [await anObjective(), await anObjective()];
    await complete(used, { contact_id: await aContact() });
    expect((await team.delete(`${path}/${used}`)).status).toBe(409);
    expect((await team.delete(`${path}/${unused}`)).status).toBe(204);
    expect((await team.get(`${path}/${unused}`)).status).toBe(404);
  });
});

describe('completing', () => {
  test('credits the value of the objective as organic and records events', async () => {
    const [objective_id, contact_id] = [await anObjective(), await aContact()];
    const made = await complete(objective_id, { contact_id });
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBe(`${path}/completions/${made.body.id}`);
    expect(made.body).toMatchObject({
      type: 'objective_completion',
      objective_id,
      contact_id,
      value_cents: 500,
      source: 'api',
      attribution: 'organic',
    });
    expect((await team.get(`${path}/completions/${made.body.id}`)).body).toEqual(made.body);
    expect(await eventTypesOf(api, team, made.body.id)).toEqual(['objective.completed']);
    const { body } = await team.get(`/v2/partner/contacts/${contact_id}/engagement-events`);
    expect(body.data).toMatchObject([
      { kind: 'objective.completed', objective_id, value_cents: 500, source: 'system' },
    ]);
    const contact = await team.get(`/v2/partner/contacts/${contact_id}`);
    expect(contact.body).not.toHaveProperty('last_engaged_at');
  });

  test('a repeat returns the first completion with 200, even when requests arrive at once', async () => {
    const [objective, contact_id] = [await anObjective(), await aContact()];
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => complete(objective, { contact_id })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201]);
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
    expect(await countOf(objective)).toBe(1);
  });

  test('a repeatable objective is completed once per unique_id, or per time', async () => {
    const objective = await anObjective({ is_repeatable: true });
    const contact_id = await aContact();
    const statuses: number[] = [];
    for (const more of [
      { unique_id: 'a' },
      { unique_id: 'b' },
      { unique_id: 'a' },
      { completed_at: '2026-10-01T00:00:00Z' },
      { completed_at: '2026-10-02T00:00:00Z' },
      { completed_at: '2026-10-01T02:00:00+02:00' },
    ]) {
      statuses.push((await complete(objective, { contact_id, ...more })).status);
    }
    expect(statuses).toEqual([201, 201, 200, 201, 201, 200]);
    expect(await countOf(objective)).toBe(4);
  });

  test.each([
    [{ contact_id: randomUUID() }, 'reference_not_found', '/contact_id'],
    [{ account_id: randomUUID() }, 'reference_not_found', '/account_id'],
    [{ completed_at: new Date(Date.now() + 400_000).toISOString() }, 'max', '/completed_at'],
    [{ value_cents: 1.5 }, 'type', '/value_cents'],
  ])('%j is refused: %s', async (body, rule, pointer) => {
    const reply = await complete(await anObjective(), { contact_id: await aContact(), ...body });
    expect(reply.status).toBe(422);
    expect(reply.body.errors[0].meta).toMatchObject({ rule, pointer });
  });

  test('a voided completion is not counted, and the objective can be completed again', async () => {
    const [objective, contact_id] = [await anObjective(), await aContact()];
    const { id } = (await complete(objective, { contact_id })).body;
    const voidPath = `${path}/completions/${id}/void`;
    expect((await team.post(voidPath, {})).status).toBe(422);
    const done = await team.post(voidPath, { reason: 'Charged back' });
    expect(done.body).toMatchObject({ void_reason: 'Charged back' });
    expect(done.body).toHaveProperty('voided_at');
    expect((await team.post(voidPath, { reason: 'Again' })).status).toBe(409);
    expect(await countOf(objective)).toBe(0);
    const [, event] = await eventsOf(api, team, id);
    expect(event).toMatchObject({ type: 'objective.voided', previous: { voided_at: null } });
    expect((await complete(objective, { contact_id })).status).toBe(201);
  });

  test('completions are listed for the team, an objective and a contact', async () => {
    const own = await api.newTeam();
    const [a, b] = [await anObjective({}, own), await anObjective({}, own)];
    const [ann, bob] = [await aContact(own), await aContact(own)];
    await complete(a, { contact_id: ann, completed_at: '2026-10-01T00:00:00Z' }, own);
    await complete(a, { contact_id: bob, completed_at: '2026-10-02T00:00:00Z' }, own);
    await complete(b, { contact_id: ann, completed_at: '2026-10-03T00:00:00Z' }, own);
    const list = async (url: string) =>
      (await own.get(url)).body.data.map((row: any) => [row.objective_id, row.contact_id]);
    const all = [
      [b, ann],
      [a, bob],
      [a, ann],
    ];
    expect(await list(`${path}/completions`)).toEqual(all);
    expect(await list(`${path}/${a}/completions`)).toEqual(all.slice(1));
    expect(await list(`/v2/partner/contacts/${ann}/objective-completions`)).toEqual([
      all[0],
      all[2],
    ]);
    expect(await list(`${path}/completions?filter[contact_id]=${bob}`)).toEqual([all[1]]);
    const { body } = await own.get(`${path}/completions?include=objective,contact&page[size]=1`);
    expect(body.data[0].relationships).toMatchObject({
      objective: { id: b },
      contact: { id: ann },
    });
  });
});

describe('counts', () => {
  const counts = (of: TestTeam, query = '') => of.get(`${path}/completions/counts?${query}`);

  test('show every active objective, with totals that are their sums', async () => {
    const own = await api.newTeam();
    const objective = await anObjective({ is_repeatable: true, value_cents: 300 }, own);
    const [ann, bob] = [await aContact(own), await aContact(own)];
    const now = Date.now();
    const daysAgo = (days: number) => new Date(now - days * 86_400_000).toISOString();
    await complete(objective, { contact_id: ann, completed_at: daysAgo(1) }, own);
    await complete(objective, { contact_id: ann, completed_at: daysAgo(2), value_cents: 1 }, own);
    await complete(objective, { contact_id: bob, completed_at: daysAgo(29) }, own);
    await complete(objective, { contact_id: bob, completed_at: daysAgo(31) }, own);
    const { id } = (await complete(objective, { contact_id: bob, unique_id: 'v' }, own)).body;
    await own.post(`${path}/completions/${id}/void`, { reason: 'test' });

    const { status, body } = await counts(own);
    expect(status).toBe(200);
    expect(body.by_objective).toHaveLength(13);
    expect(body.by_objective[0]).toEqual({
      objective_id: objective,
      key: expect.any(String),
      name: 'Objective',
      completions: 3,
      unique_contacts: 2,
      value_cents: 601,
      attributed_completions: 0,
      attributed_value_cents: 0,
    });
    expect(body.by_objective[12].completions).toBe(0);
    expect(body).toMatchObject({ team_id: own.id, total_completions: 3, total_value_cents: 601 });
    const window = Date.parse(body.window.end) - Date.parse(body.window.start);
    expect(window).toBe(30 * 86_400_000);
    expect((await counts(own, 'period=P1Y')).body.total_completions).toBe(4);
  });

  test.each([
    ['period=nonsense', 'invalid_period'],
    ['period=P3Y', 'invalid_period'],
    ['timezone=%2B05:00', 'invalid_timezone'],
    ['window=P1D', 'invalid_query_parameter'],
  ])('?%s is refused: %s', async (query, code) => {
    const reply = await counts(team, query);
    expect(reply.status).toBe(400);
    expect(reply.body.errors[0].code).toBe(code);
  });
});

describe('an account that is opened', () => {
  const open = (contactId: string, fields: object, of: TestTeam) =>
    of.post(`/v2/partner/contacts/${contactId}/accounts`, { kind: 'loan', ...fields });

  test('completes the objectives of its kind, within their window', async () => {
    const own = await api.newTeam();
    const loan = await anObjective({ product_kind: 'loan' }, own);
    const idle = await anObjective({ product_kind: 'loan', is_active: false }, own);
    await anObjective({ product_kind: 'deposit' }, own);
    const contact_id = await aContact(own);
    const completions = async () =>
      (await own.get(`/v2/partner/contacts/${contact_id}/objective-completions`)).body.data;

    await open(contact_id, { opened_at: '2020-01-01T00:00:00Z' }, own);
    const pending = (await open(contact_id, {}, own)).body;
    expect(await completions()).toEqual([]);
    const opened_at = new Date(Date.now() - 86_400_000).toISOString();
    await own.patch(`/v2/partner/accounts/${pending.id}`, { opened_at });
    expect(await completions()).toMatchObject([
      { objective_id: loan, source: 'rule', account_id: pending.id, completed_at: opened_at },
    ]);
    expect((await completions()).map((row: any) => row.objective_id)).not.toContain(idle);

    await own.post(`/v2/partner/accounts/${pending.id}/close`);
    await own.post(`/v2/partner/accounts/${pending.id}/reopen`);
    expect(await completions()).toHaveLength(1);
    const { body } = await own.get(`/v2/partner/contacts/${contact_id}/engagement-events`);
    expect(body.data.map((row: any) => row.kind).sort()).toEqual([
      'account.closed',
      'account.opened',
      'objective.completed',
    ]);
  });
});
