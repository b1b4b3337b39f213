import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import {
  aCompleteTemplate,
  aLaunchedTemplate,
  at,
  codesOf,
  letPass,
} from '../campaigns/a-template.ts';
import { aSendingTemplate } from './a-send.ts';
import { eventTypesOf, subscribe } from '../support/recorded-events.ts';

const api = useTestApi();
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
});

const journeys = '/v2/partner/journeys';
const contacts = '/v2/partner/contacts';
const aContact = async (of = team, fields: object = {}): Promise<string> =>
  (await of.post(contacts, { unique_id: randomUUID(), ...fields })).body.id;
const enroll = (template: string, contact_id: string, of = team) =>
  of.post(at(template, '/enrollments'), { contact_id });
async function aCohort(...contact_ids: string[]): Promise<string> {
  const made = await team.post('/v2/partner/cohorts', { name: randomUUID(), kind: 'static' });
  const add = `/v2/partner/cohorts/${made.body.id}/members/add`;
  if (contact_ids.length > 0) expect((await team.post(add, { contact_ids })).status).toBe(200);
  return made.body.id;
}
const explained = async (template: string, contact: string) =>
  (await team.get(at(template, `/enrollments/${contact}/explain`))).body;

describe('an enrollment', () => {
  test('begins a journey that keeps the version, and shows its link once', async () => {
    const [template, contact] = [await aLaunchedTemplate(team), await aContact()];
    const made = await enroll(template, contact);
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBe(`${journeys}/${made.body.id}`);
    expect(made.body).toMatchObject({
      type: 'journey',
      template_id: template,
      template_version: 1,
      contact_id: contact,
      seq: 1,
      status: 'scheduled',
      enrolled_via: 'api',
      is_holdout: false,
      link_url: expect.stringMatching(/^http:\/\/onward\.test\/journey#dol~/),
      next_action: { kind: 'start' },
      objectives: [{ status: 'pending' }],
      progress: { pages_viewed: 0, pages_total: 1, objectives_completed: 0, objectives_total: 1 },
    });
    const reader = await team.withScopes('partner:journeys:read');
    const seen = await reader.get(`${journeys}/${made.body.id}`);
    expect(seen.body).not.toHaveProperty('link_url');
    expect((await team.get(`${journeys}/${made.body.id}`)).body.link_url).toBe(made.body.link_url);
    const counted = (await team.get(at(template))).body;
    expect(counted).toMatchObject({ enrolled_count: 1, active_journey_count: 1 });
    expect((await team.get(`${contacts}/${contact}`)).body.open_journey_count).toBe(1);
  });

  test('accepts the unique_id of the contact as well', async () => {
    const template = await aLaunchedTemplate(team);
    const [unique_id, other] = [randomUUID(), randomUUID()];
    const [first, second] = [
      await aContact(team, { unique_id }),
      await aContact(team, { unique_id: other }),
    ];
    const path = at(template, '/enrollments');
    expect((await team.post(path, { unique_id })).body.contact_id).toBe(first);
    const named = await team.post(path, { contact_unique_id: other });
    expect(named.body.contact_id).toBe(second);
    const unknown = await team.post(path, { unique_id: randomUUID() });
    expect(unknown.status).toBe(422);
    expect(unknown.body.errors[0].meta).toMatchObject({
      pointer: '/unique_id',
      rule: 'reference_not_found',
    });
  });

  test('is refused while the contact has an open journey, and the error names its id', async () => {
    const [template, contact] = [await aLaunchedTemplate(team), await aContact()];
    const first = await enroll(template, contact);
    const again = await enroll(template, contact);
    expect(again.status).toBe(409);
    expect(again.body.errors[0]).toMatchObject({
      code: 'already_enrolled',
      meta: { journey_id: first.body.id },
    });
  });

  test('succeeds once of ten concurrent requests', async () => {
    const [template, contact] = [await aLaunchedTemplate(team), await aContact()];
    const replies = await Promise.all(Array.from({ length: 10 }, () => enroll(template, contact)));
    const taken = replies.filter(({ status }) => status === 201);
    expect(taken).toHaveLength(1);
    for (const { status, body } of replies) {
      if (status !== 409) continue;
      expect(body.errors[0].meta.journey_id).toBe(taken[0]?.body.id);
    }
    expect((await team.get(at(template))).body.enrolled_count).toBe(1);
  });

  test('needs a launched template whose deadline has not passed', async () => {
    const contact = await aContact();
    const draft = await aCompleteTemplate(team);
    const refused = await enroll(draft, contact);
    expect(refused.status).toBe(409);
    expect(refused.body.errors[0]).toMatchObject({
      code: 'invalid_state_transition',
      meta: { resource: 'template', state: 'draft', action: 'enroll' },
    });
    const late = await aLaunchedTemplate(team);
    await letPass(api, late, { deadline_at: new Date(Date.now() - 1_000).toISOString() });
    expect((await enroll(late, contact)).body.errors[0].meta.state).toBe('expired');
    const paused = await aLaunchedTemplate(team);
    await team.post(at(paused, '/pause'));
    expect((await enroll(paused, contact)).body.errors[0].meta.state).toBe('paused');
  });

  test('of the members of a cohort that is not the team’s is refused', async () => {
    const template = await aLaunchedTemplate(team);
    const { status, body } = await team.post(at(template, '/enrollments'), {
      cohort_id: randomUUID(),
    });
    expect([status, body.errors[0].meta]).toMatchObject([
      422,
      { pointer: '/cohort_id', rule: 'reference_not_found' },
    ]);
  });

  test('of a contact that is archived or unknown is refused', async () => {
    const [template, contact] = [await aLaunchedTemplate(team), await aContact()];
    await team.delete(`${contacts}/${contact}`);
    for (const id of [contact, randomUUID()]) {
      const refused = await enroll(template, id);
      expect(refused.status).toBe(422);
      expect(refused.body.errors[0].meta.rule).toBe('reference_not_found');
    }
  });

  test('sends an event to subscribers and adds one to the timeline of the journey', async () => {
    const hearing = await api.newTeam();
    await subscribe(api, hearing);
    const template = await aLaunchedTemplate(hearing);
    const made = await enroll(template, await aContact(hearing), hearing);
    expect(await eventTypesOf(api, hearing, made.body.id)).toEqual(['journey.enrolled']);
    const timeline = await hearing.get(`${journeys}/${made.body.id}/timeline`);
    const about = { template_id: template, journey_id: made.body.id };
    const byService = { channel: 'system', source: 'system', is_machine: false };
    expect(timeline.body.data).toMatchObject([
      { kind: 'journey.enrolled', ...about, ...byService },
    ]);
  });
});

describe('reentry', () => {
  const cancel = (id: string) => team.post(`${journeys}/${id}/cancel`);

  test('never: not even when the journey has ended', async () => {
    const [template, contact] = [await aLaunchedTemplate(team), await aContact()];
    const { body } = await enroll(template, contact);
    await cancel(body.id);
    const refused = await enroll(template, contact);
    expect(refused.status).toBe(409);
    expect(refused.body.errors[0]).toMatchObject({
      code: 'enrollment_refused',
      meta: { rule: 'reentry_never', journey_id: body.id },
    });
  });

  test('after_exit: as soon as it has ended, with the next number', async () => {
    const [template, contact] = [
      await aLaunchedTemplate(team, { reentry: 'after_exit' }),
      await aContact(),
    ];
    const first = await enroll(template, contact);
    expect(codesOf((await enroll(template, contact)).body)).toEqual(['already_enrolled']);
    await cancel(first.body.id);
    const second = await enroll(template, contact);
    expect(second).toMatchObject({ status: 201, body: { seq: 2 } });
    const listed = await team.get(`${contacts}/${contact}/journeys`);
    expect(listed.body.data.map(({ seq }: { seq: number }) => seq)).toEqual([2, 1]);
    const template_ = (await team.get(at(template))).body;
    expect(template_).toMatchObject({ enrolled_count: 2, active_journey_count: 1 });
  });

  test('after_interval: once the interval since the enrollment has passed', async () => {
    const about = { reentry: 'after_interval', reentry_interval: 'P30D' };
    const [template, contact] = [await aLaunchedTemplate(team, about), await aContact()];
    const first = await enroll(template, contact);
    await cancel(first.body.id);
    const refused = await enroll(template, contact);
    expect(refused.body.errors[0].meta.rule).toBe('reentry_interval');
    expect((await explained(template, contact)).rule).toBe('reentry_interval');
    await api.db.look(
      (sql) => sql`
      update journeys set enrolled_at = now() - interval '31 days'
      where id = ${first.body.id} returning id`,
    );
    expect((await enroll(template, contact)).status).toBe(201);
  });

  test('members of an exclusion cohort are not enrolled, and explain names the rule', async () => {
    const [kept, other] = [await aContact(), await aContact()];
    const template = await aLaunchedTemplate(team, {
      exclusion_cohort_ids: [await aCohort(kept)],
    });
    expect((await enroll(template, kept)).body.errors[0].meta.rule).toBe('excluded');
    expect(await explained(template, kept)).toMatchObject({ may_enroll: false, rule: 'excluded' });
    expect((await enroll(template, other)).status).toBe(201);
  });

  test('explain names the rule for contacts without a journey, and the messages of enrolled contacts', async () => {
    const [template, contact] = [await aLaunchedTemplate(team), await aContact()];
    const before = await explained(template, contact);
    expect(before).toMatchObject({
      may_enroll: true,
      messages: [],
      detail: expect.stringContaining('by request only'),
    });
    expect(before).not.toHaveProperty('rule');
    const { body } = await enroll(template, contact);
    expect(await explained(template, contact)).toMatchObject({
      may_enroll: false,
      rule: 'already_enrolled',
      journey_id: body.id,
      journey_status: 'scheduled',
    });
    await team.post(at(template, '/pause'));
    expect((await explained(template, await aContact())).rule).toBe('template_not_launched');
    const own = await team.get(`${journeys}/${body.id}/explain`);
    expect(own.body).toMatchObject({ contact_id: contact, journey_id: body.id });
  });

  test('a stable share of contacts is held out, at the percentage of the template', async () => {
    const template = await aLaunchedTemplate(team, { holdout_percent: 50 });
    const ids = await Promise.all(Array.from({ length: 40 }, () => aContact()));
    const items = ids.map((contact_id) => ({ template_id: template, contact_id }));
    const path = '/v2/ipaas/operations/templates.enroll/execute';
    const { body } = await team.post(path, { items });
    expect(body.summary).toMatchObject({ total: 40, succeeded: 40 });
    const held = new Set<string>(
      body.results
        .filter(({ output }: any) => output.is_holdout)
        .map(({ output }: any) => output.contact_id),
    );
    expect(held.size).toBeGreaterThan(5);
    expect(held.size).toBeLessThan(35);
    const [one = ''] = ids;
    expect((await explained(template, one)).is_holdout).toBe(held.has(one));
  });
});

describe('a journey', () => {
  const aJourney = async () =>
    (await enroll(await aLaunchedTemplate(team), await aContact())).body.id as string;
  const act = (id: string, action: string) => team.post(`${journeys}/${id}/${action}`);

  test('is paused, resumed and canceled permanently', async () => {
    const id = await aJourney();
    const paused = await act(id, 'pause');
    expect(paused.body).toMatchObject({ status: 'paused', paused_at: expect.any(String) });
    const explain = async () => (await team.get(`${journeys}/${id}/explain`)).body;
    expect(await explain()).toMatchObject({ journey_status: 'paused' });
    expect(codesOf((await act(id, 'pause')).body)).toEqual(['invalid_state_transition']);
    expect((await act(id, 'resume')).body).toMatchObject({ status: 'scheduled' });
    const canceled = await act(id, 'cancel');
    expect(canceled.body).toMatchObject({
      status: 'canceled',
      exit_reason: 'canceled_by_user',
      exited_at: expect.any(String),
    });
    expect(canceled.body).not.toHaveProperty('next_action');
    expect(await explain()).toMatchObject({
      ...{ journey_status: 'canceled', exit_reason: 'canceled_by_user' },
    });
    for (const action of ['pause', 'resume', 'cancel']) {
      const refused = await act(id, action);
      expect(refused.body.errors[0].meta).toMatchObject({ state: 'canceled', allowed_actions: [] });
    }
    expect(codesOf((await act(id, 'link')).body)).toEqual(['journey_not_open']);
  });

  test('a fresh link differs from the earlier one', async () => {
    const id = await aJourney();
    const before = (await team.get(`${journeys}/${id}`)).body.link_url;
    const fresh = await act(id, 'link');
    expect(fresh.body).toMatchObject({ journey_id: id, link_url: expect.any(String) });
    expect(fresh.body.link_url).not.toBe(before);
    expect((await team.get(`${journeys}/${id}`)).body.link_url).toBe(fresh.body.link_url);
  });

  test('is listed with its contact and template, and found by filters', async () => {
    const [template, contact] = [await aLaunchedTemplate(team), await aContact()];
    const { body } = await enroll(template, contact);
    const listed = await team.get(
      `${journeys}?filter[template_id]=${template}&filter[status]=scheduled&include=contact,template&meta=count`,
    );
    expect(listed.body).toMatchObject({
      data: [
        { id: body.id, relationships: { contact: { id: contact }, template: { id: template } } },
      ],
      meta: { count: 1 },
    });
    expect(listed.body.data[0]).not.toHaveProperty('link_url');
    const none = await team.get(at(template, '/journeys?filter[is_holdout]=true'));
    expect(none.body.data).toEqual([]);
    for (const sort of ['enrolled_at', '-last_engaged_at', 'deadline_at']) {
      expect((await team.get(`${journeys}?sort=${sort}`)).status).toBe(200);
    }
    const included = await team.get(`${contacts}?filter[status]=active&include=journeys`);
    const own = included.body.data.find(({ id }: { id: string }) => id === contact);
    expect(own.relationships.journeys).toMatchObject([{ id: body.id }]);
  });

  test('is listed with its 25 newest deliveries for a client that may read messages', async () => {
    const { id: template_id, messageIds } = await aSendingTemplate(team);
    const contact_id = await aContact();
    const { body } = await enroll(template_id, contact_id);
    const sent = Array.from({ length: 26 }, (_, at) => ({
      ...{ team_id: team.id, id: randomUUID(), template_id, contact_id },
      message_id: messageIds[0] ?? '',
      ...{ journey_id: body.id, channel: 'email', status: 'skipped', skip_reason: 'holdout' },
      inserted_at: new Date(Date.now() - at * 1_000).toISOString(),
    }));
    await api.db.look((sql) => sql`insert into message_deliveries ${sql(sent)}`);
    const path = `${journeys}?filter[template_id]=${template_id}&include=message_deliveries`;
    const listed = await team.get(path);
    const [{ relationships, truncated_relationships: cut }] = listed.body.data;
    const { message_deliveries: shown, ...others } = relationships;
    expect(shown.map(({ id }: { id: string }) => id)).toEqual(
      sent.slice(0, 25).map(({ id }) => id),
    );
    expect([others, cut]).toEqual([{}, ['message_deliveries']]);
    const blind = await team.withScopes('partner:journeys:read');
    const refused = await blind.get(path);
    expect([refused.status, refused.body.errors[0].meta.required_scope]).toEqual([
      401,
      'partner:messages:read',
    ]);
  });
});
