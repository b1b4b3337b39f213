import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import {
  aCompleteTemplate,
  aLaunchedTemplate,
  aSubscribedTeam,
  anObjective,
  at,
  codesOf,
  eventsOf,
  inHours,
  templates,
  wakesOf,
} from './a-template.ts';

const api = useTestApi();

describe('creating a template', () => {
  test('accepts the full resource and ignores server-owned fields', async () => {
    const team = await api.newTeam();
    const objective = await anObjective(team);
    const { status, body, headers } = await team.post(templates, {
      id: randomUUID(),
      type: 'template',
      team_id: randomUUID(),
      name: 'Welcome',
      use_case: 'onboarding',
      status: 'launched',
      is_archived: true,
      is_locked: true,
      inserted_at: inHours(-1),
      updated_at: inHours(-1),
      launched_at: inHours(-1),
      archived_at: null,
      deadline_at: '2035-01-01T02:00:00+02:00',
      objective_ids: [objective],
      page_ids: [],
      message_ids: [],
    });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(at(body.id));
    expect(body).toEqual({
      id: expect.any(String),
      type: 'template',
      team_id: team.id,
      name: 'Welcome',
      use_case: 'onboarding',
      status: 'draft',
      is_archived: false,
      is_locked: false,
      deadline_at: '2035-01-01T00:00:00.000Z',
      template_version: 0,
      exit_on_objectives: true,
      exit_on_leaving_cohort: false,
      entry: 'manual',
      reentry: 'never',
      target_cohort_ids: [],
      exclusion_cohort_ids: [],
      secure_personalization: {
        enabled: false,
        factors: [],
        max_attempts: 5,
        lockout_minutes: 15,
      },
      enrolled_count: 0,
      active_journey_count: 0,
      objective_ids: [objective],
      page_ids: [],
      message_ids: [],
      inserted_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect((await team.get(at(body.id))).body).toEqual(body);
  });

  test('defines entry, reentry and identity checks of recipients', async () => {
    const team = await api.newTeam();
    const list = await team.post('/v2/partner/cohorts', { name: 'Savers', kind: 'static' });
    const cohort = String(list.body.id);
    const { body } = await team.post(templates, {
      name: 'T',
      entry: 'on_cohort_entry',
      target_cohort_ids: [cohort.toUpperCase()],
      reentry: 'after_interval',
      reentry_interval: 'P30D',
      secure_personalization: { enabled: true, factors: ['postal_code'] },
    });
    expect(body).toMatchObject({
      target_cohort_ids: [cohort],
      reentry_interval: 'P30D',
      secure_personalization: { enabled: true, max_attempts: 5, lockout_minutes: 15 },
    });
    const refused = await team.patch(at(body.id), { reentry: 'never' });
    expect(refused.body.errors[0].meta).toMatchObject({ pointer: '/reentry_interval' });
    const locked = await team.post(at(body.id, '/lock'));
    expect(locked.body.locked_by).toBe(team.clientId);
    const open = await team.post(at(body.id, '/unlock'));
    expect(open.body).not.toHaveProperty('locked_by');
    const copy = await team.post(at(body.id, '/duplicate'));
    expect(copy.body).toMatchObject({ entry: 'on_cohort_entry', target_cohort_ids: [cohort] });
  });

  test.each([
    { body: {}, pointer: '/name', rule: 'required' },
    { body: { name: 'x', colour: 'red' }, pointer: '/colour', rule: 'unknown_field' },
    { body: { name: 'x', type: 'page' }, pointer: '/type', rule: 'enum' },
    { body: { name: 'x', deadline_at: inHours(-1) }, pointer: '/deadline_at', rule: 'min' },
    { body: { name: 'x', scheduled_at: inHours(-1) }, pointer: '/scheduled_at', rule: 'min' },
    { body: { name: 'x', scheduled_at: inHours(9_000) }, pointer: '/scheduled_at', rule: 'max' },
    {
      body: { name: 'x', scheduled_at: inHours(2), deadline_at: inHours(1) },
      pointer: '/deadline_at',
      rule: 'date_order',
    },
    { body: { name: 'x', holdout_percent: 51 }, pointer: '/holdout_percent', rule: 'max' },
    {
      body: { name: 'x', objective_ids: [randomUUID()] },
      pointer: '/objective_ids/0',
      rule: 'reference_not_found',
    },
    { body: { name: 'x', page_ids: [randomUUID()] }, pointer: '/page_ids', rule: 'permutation' },
  ])('is refused at $pointer by the rule $rule', async ({ body: sent, pointer, rule }) => {
    const team = await api.newTeam();
    const { status, body } = await team.post(templates, sent);
    expect({ status, codes: codesOf(body) }).toEqual({ status: 422, codes: ['validation_failed'] });
    expect(body.errors[0].meta).toMatchObject({ pointer, rule });
  });

  test('names every problem in one answer', async () => {
    const team = await api.newTeam();
    const { body } = await team.post(templates, {
      name: 'x',
      deadline_at: inHours(-1),
      message_ids: [randomUUID()],
      objective_ids: [randomUUID()],
    });
    const pointers = body.errors.map(({ meta }: { meta: { pointer: string } }) => meta.pointer);
    expect(pointers).toEqual(['/deadline_at', '/message_ids', '/objective_ids/0']);
  });

  test('with scheduled_at schedules the template immediately, complete or not, and signals its workflow', async () => {
    const team = await aSubscribedTeam(api);
    const scheduled_at = inHours(1);
    const { status, body } = await team.post(templates, { name: 'x', scheduled_at });
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: 'scheduled', scheduled_at });
    expect(await wakesOf(api, body.id)).toBe(1);
    const events = await eventsOf(api, team);
    expect(events.map(({ type, sequence }) => [type, sequence])).toEqual([
      ['template.created', 1],
      ['template.scheduled', 2],
    ]);
    expect(events[1].data).toEqual(body);
  });
});

describe('changing a template', () => {
  test('a full body of a launched template may move its deadline', async () => {
    const team = await aSubscribedTeam(api);
    const id = await aLaunchedTemplate(team, { deadline_at: inHours(5) });
    const before = (await team.get(at(id))).body;
    const deadline_at = inHours(9);
    const { status, body } = await team.patch(at(id), { ...before, deadline_at });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, deadline_at, updated_at: body.updated_at });
    expect((await eventsOf(api, team)).at(-1)).toMatchObject({
      type: 'template.updated',
      previous: { deadline_at: before.deadline_at },
    });
  });

  test('a lock protects the content, and the refusal names the fields', async () => {
    const team = await api.newTeam();
    const id = await aLaunchedTemplate(team);
    const { status, body } = await team.patch(at(id), { name: 'New', use_case: 'New' });
    expect(status).toBe(409);
    expect(body.errors[0]).toMatchObject({
      code: 'template_locked',
      meta: { fields: ['use_case'], state: 'launched' },
    });
    for (const part of [
      team.post(at(id, '/pages'), { name: 'p' }),
      team.post(at(id, '/messages'), { name: 'm', channel: 'sms' }),
    ]) {
      expect(codesOf((await part).body)).toEqual(['template_locked']);
    }
    const operational = { name: 'New', description: 'd', send_rate_per_minute: 10 };
    expect((await team.patch(at(id), operational)).body).toMatchObject(operational);
  });

  test('a write without a change leaves version and events unchanged', async () => {
    const team = await aSubscribedTeam(api);
    const id = await aLaunchedTemplate(team, { deadline_at: inHours(5) });
    const { body, headers } = await team.get(at(id));
    const count = (await eventsOf(api, team)).length;
    const same = await team.patch(at(id), body);
    expect(same.body).toEqual(body);
    expect(same.headers.get('etag')).toBe(headers.get('etag'));
    expect(await eventsOf(api, team)).toHaveLength(count);
  });

  test('If-Match of an older version is refused', async () => {
    const team = await api.newTeam();
    const id = await aCompleteTemplate(team);
    const stale = { 'If-Match': '"1"' };
    expect((await team.patch(at(id), { name: 'x' }, stale)).status).toBe(412);
    expect((await team.post(at(id, '/launch'), undefined, stale)).status).toBe(412);
  });

  test('pages and messages can be reordered by their ids, but not replaced', async () => {
    const team = await api.newTeam();
    const id = await aCompleteTemplate(team);
    await team.post(at(id, '/pages'), { name: 'Second' });
    await team.post(at(id, '/pages'), { name: 'First', position: 0 });
    const { page_ids } = (await team.get(at(id))).body;
    const reversed = [...page_ids].reverse();
    expect((await team.patch(at(id), { page_ids: reversed })).body.page_ids).toEqual(reversed);
    const { body } = await team.get(at(id, '/pages'));
    const pages = body.data.map((page: { name: string; position: number }) => [
      page.position,
      page.name,
    ]);
    expect(pages).toEqual([
      [0, 'Second'],
      [1, 'Hello'],
      [2, 'First'],
    ]);
    for (const ids of [[], page_ids.slice(1), [...page_ids, randomUUID()]]) {
      const refused = await team.patch(at(id), { page_ids: ids });
      expect(refused.body.errors[0].meta).toMatchObject({ rule: 'permutation' });
    }
  });

  test('objectives are replaced as a whole, in the given order', async () => {
    const team = await api.newTeam();
    const { body: list } = await team.get('/v2/partner/objectives');
    const ids = list.data.map(({ id }: { id: string }) => id).slice(0, 3);
    const { body } = await team.post(templates, { name: 'x', objective_ids: ids });
    expect(body.objective_ids).toEqual(ids);
    const requested = [ids[2], ids[0]];
    const changed = await team.patch(at(body.id), { objective_ids: requested });
    expect(changed.body.objective_ids).toEqual(requested);
  });

  test('scheduled_at schedules, reschedules and unschedules', async () => {
    const team = await api.newTeam();
    const id = await aCompleteTemplate(team);
    const [first, second] = [inHours(1), inHours(2)];
    const patched = async (scheduled_at: string | null) =>
      (await team.patch(at(id), { scheduled_at })).body;
    expect(await patched(first)).toMatchObject({ status: 'scheduled', scheduled_at: first });
    expect(await patched(second)).toMatchObject({ status: 'scheduled', scheduled_at: second });
    const draft = await patched(null);
    expect(draft.status).toBe('draft');
    expect(draft.scheduled_at).toBeUndefined();
    expect(await wakesOf(api, id)).toBe(3);
  });

  test('a deadline must be in the future and after the launch, and null clears it', async () => {
    const team = await api.newTeam();
    const id = await aCompleteTemplate(team, { scheduled_at: inHours(2) });
    const rulesOf = async (body: object) =>
      (await team.patch(at(id), body)).body.errors?.map(
        ({ meta }: { meta: { rule: string } }) => meta.rule,
      );
    expect(await rulesOf({ deadline_at: inHours(-1) })).toEqual(['min']);
    expect(await rulesOf({ deadline_at: inHours(1) })).toEqual(['date_order']);
    expect(await rulesOf({ deadline_at: inHours(3) })).toBeUndefined();
    expect(await rulesOf({ scheduled_at: inHours(4) })).toEqual(['date_order']);
    const cleared = await team.patch(at(id), { deadline_at: null });
    expect(cleared.body.deadline_at).toBeUndefined();
    const late = await team.post(at(id, '/schedule'), { scheduled_at: inHours(-1) });
    expect(late.status).toBe(422);
  });

  test('the holdout is immutable after the launch', async () => {
    const team = await api.newTeam();
    const id = await aLaunchedTemplate(team, { holdout_percent: 10 });
    await team.post(at(id, '/pause'));
    await team.post(at(id, '/unlock'));
    const { status, body } = await team.patch(at(id), { holdout_percent: 20 });
    expect([status, ...codesOf(body)]).toEqual([422, 'immutable_field']);
  });
});

describe('lists and counts', () => {
  test('all six statuses are counted, and the counts add up to the total', async () => {
    const team = await api.newTeam();
    await aCompleteTemplate(team);
    await aLaunchedTemplate(team);
    const archived = await aCompleteTemplate(team);
    await team.post(at(archived, '/archive'));
    const { status, body } = await team.get(`${templates}/counts`);
    expect(status).toBe(200);
    expect(body).toEqual({
      team_id: team.id,
      by_status: { draft: 1, scheduled: 0, launched: 1, paused: 0, archived: 1, expired: 0 },
      total: 3,
      computed_at: expect.any(String),
    });
  });

  test('archived templates are hidden unless a filter names them', async () => {
    const team = await api.newTeam();
    const shown = await aCompleteTemplate(team);
    const archived = await aCompleteTemplate(team);
    await team.post(at(archived, '/archive'));
    const idsOf = async (query: string) =>
      (await team.get(`${templates}?${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await idsOf('')).toEqual([shown]);
    expect(await idsOf('filter[status]=archived')).toEqual([archived]);
    expect(await idsOf('filter[is_archived]=false')).toEqual([shown]);
    expect(await idsOf('filter[is_archived]=true')).toEqual([archived]);
  });

  test('templates are found by objective and embed included resources', async () => {
    const team = await api.newTeam();
    const objective = await anObjective(team);
    const id = await aCompleteTemplate(team);
    await team.post(templates, { name: 'without' });
    const { body } = await team.get(
      `${templates}?filter[objective_id]=${objective}&include=objectives,pages,messages&sort=name`,
    );
    expect(body.data).toHaveLength(1);
    expect(body.data[0]).toMatchObject({
      id,
      relationships: {
        objectives: [{ id: objective, type: 'objective' }],
        pages: [{ type: 'page', template_id: id }],
        messages: [],
      },
    });
    const limited = await team.withScopes('partner:templates:read');
    const refused = await limited.get(`${templates}?include=pages`);
    expect(refused.status).toBe(401);
    expect(refused.body.errors[0].meta.required_scope).toBe('partner:pages:read');
  });

  test('the messages of a template are listed in their order', async () => {
    const team = await api.newTeam();
    const id = await aCompleteTemplate(team);
    await team.post(at(id, '/messages'), { name: 'B', channel: 'sms' });
    await team.post(at(id, '/messages'), { name: 'A', channel: 'push', position: 0 });
    const { status, body } = await team.get(at(id, '/messages'));
    expect(status).toBe(200);
    expect(body.data).toMatchObject([
      { type: 'message', template_id: id, name: 'A', position: 0 },
      { type: 'message', template_id: id, name: 'B', position: 1 },
    ]);
    const filtered = await team.get(at(id, '/messages?filter[channel]=sms'));
    expect(filtered.body.data).toHaveLength(1);
  });

  test('a template has fifty pages at most', async () => {
    const team = await api.newTeam();
    const id = await aCompleteTemplate(team);
    for (let page = 1; page < 50; page += 1) await team.post(at(id, '/pages'), { name: 'p' });
    const { status, body } = await team.post(at(id, '/pages'), { name: 'p' });
    expect(status).toBe(422);
    expect(body.errors[0]).toMatchObject({ code: 'quota_exceeded', meta: { limit: 50 } });
  });
});

test('another team cannot see or change a template', async () => {
  const [owner, stranger] = [await api.newTeam(), await api.newTeam()];
  const id = await aCompleteTemplate(owner);
  const objective = await anObjective(owner);
  const calls: [string, string, object?][] = [
    ['GET', ''],
    ['PATCH', '', { name: 'mine' }],
    ['DELETE', ''],
    ['POST', '/launch'],
    ['POST', '/schedule', { scheduled_at: inHours(1) }],
    ['POST', '/validate'],
    ['POST', '/duplicate'],
    ['GET', '/versions'],
    ['GET', '/versions/1'],
    ['GET', '/status-history'],
    ['GET', '/pages'],
    ['GET', '/messages'],
    ['POST', '/pages', { name: 'mine' }],
    ['POST', '/messages', { name: 'mine', channel: 'sms' }],
  ];
  for (const [method, rest, body] of calls) {
    const reply = await stranger.call(method, at(id, rest), { body });
    expect([method, rest, reply.status]).toEqual([method, rest, 404]);
  }
  const foreign = await stranger.post(templates, { name: 'x', objective_ids: [objective] });
  expect(foreign.body.errors[0].meta.rule).toBe('reference_not_found');
  expect((await stranger.get(`/v2/partner/objectives/${objective}`)).status).toBe(404);
});
