import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { aCompleteTemplate, anObjective, at } from '../campaigns/a-template.ts';

const api = useTestApi();
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
});

const hourMs = 3_600_000;
const aContact = async (): Promise<string> =>
  (await team.post('/v2/partner/contacts', { unique_id: randomUUID() })).body.id;
const record = async (event: object) => {
  const { status } = await team.post('/v2/partner/engagement-events', { events: [event] });
  expect(status).toBe(201);
};

/** A launched template with a page and messages with these triggers, and a contact in it. */
async function aJourney(...triggers: ((page: string) => object)[]) {
  const template_id = await aCompleteTemplate(team, { exit_on_objectives: false });
  const page_id = (await team.get(at(template_id))).body.page_ids[0] as string;
  const messages: string[] = [];
  for (const trigger of triggers) {
    const about = { name: 'M', channel: 'sms', purpose: 'servicing', body: 'Hello' };
    const made = await team.post(at(template_id, '/messages'), {
      ...about,
      trigger: trigger(page_id),
    });
    messages.push(made.body.id);
  }
  expect((await team.post(at(template_id, '/launch'))).status).toBe(200);
  const contact_id = await aContact();
  const made = await team.post(at(template_id, '/enrollments'), { contact_id });
  const journey_id: string = made.body.id;
  const told = async () =>
    (await team.get(`/v2/partner/journeys/${journey_id}/explain`)).body.messages;
  const get = async () => (await team.get(`/v2/partner/journeys/${journey_id}`)).body;
  return { template_id, page_id, messages, contact_id, journey_id, told, get };
}

test('an event of the contact updates the time and page of a journey; an event of a machine does not', async () => {
  const { page_id, contact_id, journey_id, get } = await aJourney();
  const view = { kind: 'page.viewed', contact_id, journey_id, page_id };
  await record({ ...view, is_machine: true });
  expect(await get()).not.toHaveProperty('last_engaged_at');
  await record(view);
  expect(await get()).toMatchObject({
    current_page_id: page_id,
    last_engaged_at: expect.any(String),
    progress: { pages_viewed: 1 },
  });
});

test('a message that waits for a page is due its delay after the page was seen, once', async () => {
  const journey = await aJourney((page_id) => ({ kind: 'on_page', page_id, delay: 'PT1H' }));
  expect(await journey.told()).toMatchObject([{ state: 'not_due' }]);
  const { contact_id, journey_id, page_id } = journey;
  const occurred_at = new Date().toISOString();
  await record({ kind: 'page.viewed', contact_id, journey_id, page_id, occurred_at });
  const [waiting] = await journey.told();
  expect(waiting).toMatchObject({ message_id: journey.messages[0], state: 'waiting' });
  expect(Date.parse(waiting.due_at)).toBe(Date.parse(occurred_at) + hourMs);
  await record({ kind: 'page.viewed', contact_id, journey_id, page_id });
  expect((await journey.told())[0].due_at).toBe(waiting.due_at);
});

test('an event of its own journey, or of the contact, triggers a message that waits for it', async () => {
  const trigger = () => ({ kind: 'on_event', event_kind: 'custom', delay: 'P1D' });
  const [journey, other] = [await aJourney(trigger), await aJourney(trigger)];
  const { contact_id } = journey;
  await record({ kind: 'custom', contact_id, journey_id: other.journey_id });
  expect(await journey.told()).toMatchObject([{ state: 'not_due' }]);
  await record({ kind: 'custom', contact_id });
  expect(await journey.told()).toMatchObject([{ state: 'waiting' }]);
  expect(await other.told()).toMatchObject([{ state: 'not_due' }]);
});

test('a custom event of the contact triggers a message that waits for its type', async () => {
  const name = `custom.e${String(Date.now())}`;
  const define = (type: string) => team.post('/v2/partner/custom-event-types', { name: type });
  await Promise.all([define(name), define(`${name}.other`)]);
  const journey = await aJourney(() => ({ kind: 'on_event', event_kind: name, delay: 'P1D' }));
  const publish = (type: string) =>
    team.post('/v2/partner/events', {
      events: [{ type, unique_id: randomUUID(), contact_id: journey.contact_id }],
    });
  expect((await publish(`${name}.other`)).status).toBe(201);
  expect(await journey.told()).toMatchObject([{ state: 'not_due' }]);
  expect((await publish(name)).status).toBe(201);
  expect(await journey.told()).toMatchObject([{ state: 'waiting' }]);
});

test('a completion triggers messages in every journey of the contact, not only in the attributed one', async () => {
  const trigger = () => ({ kind: 'on_event', event_kind: 'objective.completed' });
  const [journey, later] = [await aJourney(trigger), await aJourney()];
  const { contact_id } = journey;
  await team.post(at(later.template_id, '/enrollments'), { contact_id });
  const path = `/v2/partner/objectives/${await anObjective(team)}/completions`;
  const made = await team.post(path, { contact_id });
  expect(made.body.journey_id).not.toBe(journey.journey_id);
  expect(await journey.told()).toMatchObject([{ state: 'waiting' }]);
});
