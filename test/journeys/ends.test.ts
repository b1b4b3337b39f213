import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { anObjective, aLaunchedTemplate, at } from '../campaigns/a-template.ts';
import { eventTypesOf, subscribe } from '../support/recorded-events.ts';

const api = useTestApi();
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
  await subscribe(api, team);
});

const contacts = '/v2/partner/contacts';
const objectives = '/v2/partner/objectives';
const aContact = async (): Promise<string> =>
  (await team.post(contacts, { unique_id: randomUUID() })).body.id;
const newObjective = async (fields: object = {}): Promise<string> =>
  (await team.post(objectives, { name: 'Goal', key: `o-${randomUUID()}`, ...fields })).body.id;
const enroll = async (template: string, contact_id: string): Promise<string> =>
  (await team.post(at(template, '/enrollments'), { contact_id })).body.id;
const complete = async (objective: string, contact_id: string, fields: object = {}) =>
  (await team.post(`${objectives}/${objective}/completions`, { contact_id, ...fields })).body;
const journeyOf = async (id: string) => (await team.get(`/v2/partner/journeys/${id}`)).body;
const explainedEnd = async (id: string | undefined) => {
  const { body } = await team.get(`/v2/partner/journeys/${id ?? ''}/explain`);
  return [body.journey_status, body.exit_reason];
};

describe('completions', () => {
  test('of all objectives complete the journey, those of some do not', async () => {
    const [one, two] = [await newObjective({ value_cents: 700 }), await newObjective()];
    const template = await aLaunchedTemplate(team, { objective_ids: [one, two] });
    const contact = await aContact();
    const journey = await enroll(template, contact);
    const first = await complete(one, contact);
    expect(first).toMatchObject({
      attribution: 'journey',
      journey_id: journey,
      template_id: template,
    });
    expect(await journeyOf(journey)).toMatchObject({
      status: 'scheduled',
      objectives: [
        { objective_id: one, status: 'completed', value_cents: 700 },
        { objective_id: two, status: 'pending' },
      ],
      progress: { objectives_completed: 1, objectives_total: 2 },
    });
    await complete(two, contact);
    expect(await journeyOf(journey)).toMatchObject({
      status: 'completed',
      exit_reason: 'objectives_completed',
      completed_at: expect.any(String),
    });
    expect(await explainedEnd(journey)).toEqual(['completed', 'objectives_completed']);
    const { body } = await team.get(`/v2/partner/journeys/${journey}/timeline`);
    const end = body.data.find(({ kind }: { kind: string }) => kind === 'journey.completed');
    expect(end).toMatchObject({
      ...{ contact_id: contact, template_id: template, source: 'system', channel: 'system' },
      properties: { exit_reason: 'objectives_completed' },
    });
    expect(await eventTypesOf(api, team, journey)).toEqual([
      'journey.enrolled',
      'journey.completed',
    ]);
    expect((await team.get(at(template))).body.active_journey_count).toBe(0);
  });

  test('of two objectives at once complete the journey', async () => {
    const ids = [await newObjective(), await newObjective()];
    const template = await aLaunchedTemplate(team, { objective_ids: ids });
    const contact = await aContact();
    const journey = await enroll(template, contact);
    await Promise.all(ids.map((id) => complete(id, contact)));
    expect((await journeyOf(journey)).status).toBe('completed');
  });

  test('leave a journey open whose template does not exit on objectives', async () => {
    const template = await aLaunchedTemplate(team, { exit_on_objectives: false });
    const contact = await aContact();
    const journey = await enroll(template, contact);
    await complete(await anObjective(team), contact);
    expect(await journeyOf(journey)).toMatchObject({
      status: 'scheduled',
      progress: { objectives_completed: 1 },
    });
  });

  test('are attributed to the latest journey within the window, and otherwise to none', async () => {
    const goal = await newObjective({ attribution_window_days: 30, is_repeatable: true });
    const about = { objective_ids: [goal], exit_on_objectives: false, reentry: 'after_exit' };
    const [earlier, later] = [
      await aLaunchedTemplate(team, about),
      await aLaunchedTemplate(team, about),
    ];
    const contact = await aContact();
    await enroll(earlier, contact);
    const second = await enroll(later, contact);
    expect(await complete(goal, contact)).toMatchObject({ journey_id: second });
    const before = new Date(Date.now() - 3_600_000).toISOString();
    const organic = await complete(goal, contact, { completed_at: before });
    expect(organic.attribution).toBe('organic');
    await api.db.look(
      (sql) => sql`
      update journeys set enrolled_at = now() - interval '31 days'
      where team_id = ${team.id} and contact_id = ${contact} returning id`,
    );
    expect((await complete(goal, contact)).attribution).toBe('organic');
    expect((await complete(goal, await aContact())).attribution).toBe('organic');
  });

  test('of held-out contacts are organic', async () => {
    const template = await aLaunchedTemplate(team);
    const contact = await aContact();
    const journey = await enroll(template, contact);
    await api.db.look(
      (sql) => sql`update journeys set is_holdout = true where id = ${journey} returning id`,
    );
    const made = await complete(await anObjective(team), contact);
    expect(made.attribution).toBe('organic');
    expect((await journeyOf(journey)).status).toBe('completed');
  });

  test('with last_touch name the message that was opened last', async () => {
    const goal = await newObjective({ attribution_model: 'last_touch' });
    const template = await aLaunchedTemplate(team, { objective_ids: [goal] });
    const contact_id = await aContact();
    const journey_id = await enroll(template, contact_id);
    await team.post(at(template, '/pause'));
    await team.post(at(template, '/unlock'));
    const message = await team.post(at(template, '/messages'), { name: 'A', channel: 'sms' });
    const event = { kind: 'message.opened', contact_id, journey_id, message_id: message.body.id };
    await team.post('/v2/partner/engagement-events', { events: [event] });
    expect(await complete(goal, contact_id)).toMatchObject({
      journey_id,
      message_id: message.body.id,
    });
  });
});

describe('with its contact', () => {
  test('a journey ends when the contact is archived, or erased', async () => {
    const template = await aLaunchedTemplate(team);
    const [archived, erased] = [await aContact(), await aContact()];
    const ids = [await enroll(template, archived), await enroll(template, erased)];
    await team.delete(`${contacts}/${archived}`);
    await team.post(`${contacts}/${erased}/erase`);
    for (const id of ids) {
      expect(await journeyOf(id)).toMatchObject({
        status: 'exited',
        exit_reason: 'contact_archived',
      });
    }
    expect(await explainedEnd(ids[0])).toEqual(['exited', 'contact_archived']);
    expect((await team.get(at(template))).body.active_journey_count).toBe(0);
  });

  test('a journey continues under the contact that remains after a merge, one in each template', async () => {
    const [shared, own] = [await aLaunchedTemplate(team), await aLaunchedTemplate(team)];
    const [winner, loser] = [await aContact(), await aContact()];
    const [kept, doubled, moved] = [
      await enroll(shared, winner),
      await enroll(shared, loser),
      await enroll(own, loser),
    ];
    const merged = await team.post(`${contacts}/${winner}/merge`, { source_contact_id: loser });
    expect(merged.status).toBe(200);
    expect(merged.body.open_journey_count).toBe(2);
    expect(await journeyOf(kept)).toMatchObject({
      contact_id: winner,
      status: 'scheduled',
      seq: 1,
    });
    expect(await journeyOf(moved)).toMatchObject({ contact_id: winner, status: 'scheduled' });
    expect(await journeyOf(doubled)).toMatchObject({
      ...{ contact_id: winner, status: 'exited', seq: 2 },
      exit_reason: 'contact_archived',
    });
  });
});

test('a cohort finds contacts by the state of their journeys', async () => {
  const template = await aLaunchedTemplate(team);
  const [open, canceled] = [await aContact(), await aContact()];
  await enroll(template, open);
  const id = await enroll(template, canceled);
  await team.post(`/v2/partner/journeys/${id}/cancel`);
  const preview = async (journey: object) =>
    (await team.post('/v2/partner/cohorts/preview', { definition: { journey } })).body;
  const found = async (status?: string[]) =>
    (await preview({ template_id: template, ...(status && { status }) })).sample_contact_ids;
  expect(await found(['scheduled', 'active'])).toEqual([open]);
  expect(await found(['canceled'])).toEqual([canceled]);
  expect(new Set(await found())).toEqual(new Set([open, canceled]));
  const wrong = await preview({ template_id: template, status: ['asleep'] });
  expect(wrong.errors[0].meta.pointer).toBe('/definition/journey/status/0');
});
