import { beforeAll, expect, test } from '@jest/globals';
import { decideDue } from '../../src/journeys/lanes/decide.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { anObjective } from '../campaigns/a-template.ts';
import { eventTypesOf, eventsOf, subscribe } from '../support/recorded-events.ts';
import {
  aReader,
  aSendingTemplate,
  aText,
  anEmail,
  decideTools,
  deliveriesOf,
  enrolled,
} from './a-send.ts';

const api = useTestApi();
let team: TestTeam;
let tools: ReturnType<typeof decideTools>;

beforeAll(async () => {
  tools = decideTools(api);
});

/** Decides over all that is due at a time, in every lane. */
async function decide(atMs = Date.now() + 1_000) {
  for (const lane of [0, 1, 2, 3]) {
    await api.db.database.transact((sql) => decideDue(sql, tools, lane, atMs));
  }
}
async function journeyOf(id: string | undefined) {
  const [row] = await api.db.look((sql) => sql`select * from journeys where id = ${id ?? ''}`);
  return row as any;
}
/** The lanes of contacts, each once. */
async function lanesOf(contacts: readonly string[]): Promise<number[]> {
  const rows = await api.db.look(
    (sql) => sql<{ lane: number }[]>`
      select distinct lane_of_contact(id)::int as lane
      from unnest(${[...contacts]}::uuid[]) as c (id) order by 1`,
  );
  return rows.map(({ lane }) => lane);
}
const hoursFrom = (hours: number, from = Date.now()) => from + hours * 3_600_000;
const outcomes = async (templateId: string) =>
  (await deliveriesOf(team, templateId)).map(({ status, skip_reason }) => skip_reason ?? status);

beforeAll(async () => {
  team = await api.newTeam();
  await team.patch('/v2/partner/team', { quiet_hours: null, frequency_cap: null });
});

test('a journey that is due begins: its first message is queued, the next has its time', async () => {
  const template = await aSendingTemplate(team, [
    anEmail,
    { ...anEmail, trigger: { kind: 'delay', delay: 'P3D' } },
  ]);
  const contact = await aReader(team);
  const [id] = await enrolled(team, template, [contact]);
  await decide();
  const [delivery, ...rest] = await deliveriesOf(team, template.id);
  expect(rest).toEqual([]);
  expect(delivery).toMatchObject({
    ...{ status: 'queued', journey_id: id, contact_id: contact, channel: 'email' },
    message_id: template.messageIds[0],
  });
  const journey = await journeyOf(id);
  expect(journey).toMatchObject({
    status: 'active',
    decided_message_ids: [template.messageIds[0]],
  });
  expect(Object.keys(journey.scheduled_steps)).toEqual([template.messageIds[1]]);
  expect(Date.parse(journey.next_due_at) - Date.parse(journey.started_at)).toBe(3 * 86_400_000);
  const events = await team.get(`/v2/partner/engagement-events?filter[journey_id]=${String(id)}`);
  expect(events.body.data.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
    'journey.started',
    'message.queued',
  ]);
  await decide(hoursFrom(73));
  expect(await outcomes(template.id)).toEqual(['queued', 'queued']);
  expect((await journeyOf(id)).next_due_at).toBeNull();
});

const refusals: readonly [
  reason: string,
  about: { message?: object; contact?: object; journey?: object; late?: number },
][] = [
  ['holdout', { journey: { is_holdout: true } }],
  ['deadline_passed', { journey: { deadline_at: new Date(Date.now() - 1_000).toISOString() } }],
  [
    'condition_false',
    { message: { condition: { field: 'contact.locale', op: 'eq', value: 'de' } } },
  ],
  ['missing_address', { contact: { email: null } }],
  ['no_consent', { contact: { consents: {} } }],
];

test.each(refusals)(
  'a message that the rules refuse is skipped with its reason: %s',
  async (reason, about) => {
    const template = await aSendingTemplate(team, [{ ...anEmail, ...about.message }]);
    await enrolled(team, template, [await aReader(team, about.contact)], about.journey);
    await decide();
    const [delivery] = await deliveriesOf(team, template.id);
    expect(delivery).toMatchObject({ status: 'skipped', skip_reason: reason });
    const { body } = await team.get(`/v2/partner/message-deliveries/${delivery.id}/explain`);
    expect(body.summary).toMatch(/^It was not sent: /);
  },
);

test('a delivery with several skip reasons records the first in the documented order', async () => {
  const template = await aSendingTemplate(team);
  const contact = await aReader(team, { email: null, consents: {} });
  await enrolled(team, template, [contact], { is_holdout: true });
  await decide();
  expect(await outcomes(template.id)).toEqual(['holdout']);
});

test('a suppressed address, and a contact that is suppressed as a whole, get nothing', async () => {
  const template = await aSendingTemplate(team, [{ ...anEmail, purpose: 'transactional' }]);
  const email = 'blocked@example.com';
  const [byAddress, whole] = [await aReader(team, { email }), await aReader(team)];
  await team.post('/v2/partner/suppressions', { channel: 'email', address: email });
  await team.post('/v2/partner/suppressions', { channel: 'all', contact_id: whole });
  await enrolled(team, template, [byAddress, whole]);
  await decide();
  expect(await outcomes(template.id)).toEqual(['suppressed', 'suppressed']);
});

test('a message that is not marketing needs no consent; a text message still honors STOP', async () => {
  const template = await aSendingTemplate(team, [{ ...anEmail, purpose: 'servicing' }, aText]);
  const stopped = { status: 'unsubscribed', source: 'reply' };
  const contact = await aReader(team, {
    phone: '+14155550123',
    consents: { email: stopped, sms: stopped },
  });
  await enrolled(team, template, [contact]);
  await decide();
  expect((await outcomes(template.id)).sort()).toEqual(['no_consent', 'queued']);
});

test('a journey that begins sends journey.started to subscribers, once', async () => {
  const listening = await api.newTeam();
  await subscribe(api, listening);
  const template = await aSendingTemplate(listening);
  const [id = ''] = await enrolled(listening, template, [await aReader(listening)]);
  await decide();
  await decide();
  expect(await eventTypesOf(api, listening, id)).toEqual(['journey.started']);
});

test('a message that is skipped sends message.skipped to subscribers, once', async () => {
  const listening = await api.newTeam();
  await subscribe(api, listening);
  const template = await aSendingTemplate(listening);
  await enrolled(listening, template, [await aReader(listening, { consents: {} })]);
  await decide();
  await decide();
  const [delivery] = await deliveriesOf(listening, template.id);
  const [event, ...others] = await eventsOf(api, listening, delivery.id);
  expect(others).toEqual([]);
  expect(event).toMatchObject({
    type: 'message.skipped',
    data: { id: delivery.id, status: 'skipped', skip_reason: 'no_consent' },
  });
});

test('a reminder is skipped once its objective is completed', async () => {
  const objective_id = await anObjective(team);
  const reminder = { kind: 'on_objective_incomplete', objective_id, delay: 'P1D' };
  const template = await aSendingTemplate(team, [{ ...anEmail, trigger: reminder }], {
    exit_on_objectives: false,
  });
  const [done, open] = [await aReader(team), await aReader(team)];
  await enrolled(team, template, [done, open]);
  await decide();
  expect(await outcomes(template.id)).toEqual([]);
  await team.post(`/v2/partner/objectives/${objective_id}/completions`, { contact_id: done });
  await decide(hoursFrom(25));
  const deliveries = await deliveriesOf(team, template.id);
  const byContact = new Map(deliveries.map((one) => [one.contact_id, one]));
  expect(byContact.get(done)).toMatchObject({ skip_reason: 'objective_completed' });
  expect(byContact.get(open)).toMatchObject({ status: 'queued' });
});

test('the frequency cap counts marketing messages of all templates; exempt and other messages pass', async () => {
  const capped = await api.newTeam();
  await capped.patch('/v2/partner/team', {
    quiet_hours: null,
    frequency_cap: { per_day: 2, per_week: 3 },
  });
  const contact = await aReader(capped);
  const [one, other] = [
    await aSendingTemplate(capped, [anEmail, anEmail, anEmail]),
    await aSendingTemplate(capped, [
      { ...anEmail, frequency_cap_exempt: true },
      { ...anEmail, purpose: 'transactional' },
      anEmail,
    ]),
  ];
  await enrolled(capped, one, [contact]);
  await decide();
  await enrolled(capped, other, [contact]);
  await decide();
  const of = async (template: { id: string }) =>
    (await deliveriesOf(capped, template.id))
      .map(({ status, skip_reason }) => skip_reason ?? status)
      .sort();
  expect(await of(one)).toEqual(['frequency_cap', 'queued', 'queued']);
  expect(await of(other)).toEqual(['frequency_cap', 'queued', 'queued']);
});

test('quiet hours delay a message until they end in the time zone of the contact', async () => {
  const quiet = await api.newTeam();
  // All but a minute, so that it is quiet whenever the test runs.
  const now = new Date();
  const minute = (shift: number) =>
    new Date(now.getTime() + shift * 60_000).toISOString().slice(11, 16);
  await quiet.patch('/v2/partner/team', {
    ...{ frequency_cap: null, timezone: 'UTC' },
    quiet_hours: { start: minute(-60), end: minute(60) },
  });
  const template = await aSendingTemplate(quiet, [{ ...anEmail, respect_quiet_hours: true }]);
  const [near, far] = [
    await aReader(quiet, { timezone: 'UTC' }),
    await aReader(quiet, { timezone: 'Asia/Tokyo' }),
  ];
  const [waits] = await enrolled(quiet, template, [near]);
  await enrolled(quiet, template, [far]);
  await decide();
  expect(await deliveriesOf(quiet, template.id)).toMatchObject([{ contact_id: far }]);
  const journey = await journeyOf(waits);
  expect(Date.parse(journey.next_due_at)).toBeGreaterThan(hoursFrom(0.9));
  await decide(Date.parse(journey.next_due_at));
  expect(await deliveriesOf(quiet, template.id)).toHaveLength(2);
  // A day later it is quiet again, and the message too old.
  const [late] = await enrolled(quiet, template, [await aReader(quiet, { timezone: 'UTC' })]);
  await decide();
  await decide(hoursFrom(24));
  expect((await journeyOf(late)).decided_message_ids).toHaveLength(1);
  const [last] = (await deliveriesOf(quiet, template.id)).slice(-1);
  expect(last).toMatchObject({ skip_reason: 'quiet_hours_expired' });
});

test('a template sends at its pace: each message beyond it gets a later time', async () => {
  const template = await aSendingTemplate(team, [anEmail], { send_rate_per_minute: 60 });
  const contacts = await Promise.all(Array.from({ length: 12 }, () => aReader(team)));
  await enrolled(team, template, contacts);
  const now = Date.now() + 1_000;
  await decide(now);
  const sentAtOnce = (await deliveriesOf(team, template.id)).length;
  expect(sentAtOnce).toBeGreaterThanOrEqual(1);
  expect(sentAtOnce).toBeLessThanOrEqual(3);
  await decide(now + 5_000);
  expect((await deliveriesOf(team, template.id)).length).toBeLessThanOrEqual(8);
  await decide(now + 15_000);
  expect(await outcomes(template.id)).toEqual(contacts.map(() => 'queued'));
});

test('lanes do not wait for each other at the pace of a template', async () => {
  const template = await aSendingTemplate(team, [anEmail], { send_rate_per_minute: 60_000 });
  const contacts = await Promise.all(Array.from({ length: 16 }, () => aReader(team)));
  await enrolled(team, template, contacts);
  const [one = -1, other = -1] = await lanesOf(contacts);
  const now = Date.now() + 1_000;
  const [slow, quick] = await api.db.database.transact(async (sql) => {
    const decided = await decideDue(sql, tools, one, now);
    return [
      decided,
      await api.db.database.transact((beside) => decideDue(beside, tools, other, now)),
    ];
  });
  expect(slow?.queued).toBeGreaterThan(0);
  expect(quick?.queued).toBeGreaterThan(0);
});

test('a decision that rolls back returns its share of a slow pace', async () => {
  // Nothing else of its lane is due.
  await decide();
  const template = await aSendingTemplate(team, [anEmail], { send_rate_per_minute: 1 });
  const contact = await aReader(team);
  await enrolled(team, template, [contact]);
  const [lane = -1] = await lanesOf([contact]);
  const now = Date.now() + 1_000;
  const lost = api.db.database.transact(async (sql) => {
    expect(await decideDue(sql, tools, lane, now)).toMatchObject({ queued: 1 });
    throw new Error('killed');
  });
  await expect(lost).rejects.toThrow('killed');
  await decide(now);
  expect(await outcomes(template.id)).toEqual(['queued']);
});

test('a paused template parks its journeys; those of an ended one are left to its end', async () => {
  const template = await aSendingTemplate(team);
  await team.post(`/v2/partner/templates/${template.id}/pause`);
  const [id] = await enrolled(team, template, [await aReader(team)]);
  await decide();
  expect(await outcomes(template.id)).toEqual([]);
  expect(await journeyOf(id)).toMatchObject({ was_due_when_paused: true, next_due_at: null });
});

test('a message that was due more than a week ago is stale', async () => {
  const template = await aSendingTemplate(team);
  const [messageId = ''] = template.messageIds;
  const due_at = new Date(hoursFrom(-8 * 24)).toISOString();
  await enrolled(team, template, [await aReader(team)], {
    ...{ status: 'active', next_due_at: due_at },
    scheduled_steps: { [messageId]: { due_at } },
  });
  await decide();
  expect(await outcomes(template.id)).toEqual(['template_paused_stale']);
});

test('a large template delays no small one of another team', async () => {
  const [large, small] = [await api.newTeam(), await api.newTeam()];
  const [many, few] = [await aSendingTemplate(large), await aSendingTemplate(small)];
  const model = await aReader(large);
  const crowd = await large.db.look(
    (sql) => sql<{ id: string }[]>`
      insert into contacts (team_id, id, unique_id, email, consents)
      select ${large.id}, gen_random_uuid(), 'crowd-' || n, 'crowd-' || n || '@example.com',
        (select consents from contacts where id = ${model})
      from generate_series(1, 3000) n returning id`,
  );
  await enrolled(
    large,
    many,
    crowd.map(({ id }) => id),
    { next_due_at: new Date(hoursFrom(-1)).toISOString() },
  );
  await enrolled(small, few, [await aReader(small)]);
  await decide();
  expect(await deliveriesOf(small, few.id)).toHaveLength(1);
  const [left] = await api.db.look(
    (sql) => sql<{ count: number }[]>`
      select count(*)::int as count from journeys
      where team_id = ${large.id} and next_due_at is not null`,
  );
  expect(left?.count).toBeGreaterThan(1_000);
});

test('a journey whose version is lost fails, and the others go on', async () => {
  const [lost, kept] = [
    await aSendingTemplate(team, [aText]),
    await aSendingTemplate(team, [aText]),
  ];
  await subscribe(api, team);
  const [failing] = await enrolled(team, lost, [await aReader(team)]);
  const [going] = await enrolled(team, kept, [await aReader(team)]);
  await api.db.look(
    (sql) => sql`
      delete from template_versions where team_id = ${team.id} and template_id = ${lost.id}
      returning version`,
  );
  await decide();
  expect(await journeyOf(failing)).toMatchObject({
    ...{ status: 'failed', exit_reason: 'error', next_due_at: null },
    exited_at: expect.any(String),
  });
  const { body: shown } = await team.get(`/v2/partner/journeys/${String(failing)}`);
  expect(shown).toMatchObject({ status: 'failed', exit_reason: 'error' });
  expect(await eventTypesOf(api, team, String(failing))).toContain('journey.failed');
  const { id: templateId } = lost;
  const { body: why } = await team.get(
    `/v2/partner/templates/${templateId}/enrollments/${String(shown.contact_id)}/explain`,
  );
  expect(why).toMatchObject({ journey_status: 'failed', exit_reason: 'error' });
  expect(await journeyOf(going)).toMatchObject({ status: 'active' });
  const { body: on } = await team.get(`/v2/partner/journeys/${String(going)}/explain`);
  expect(on).toMatchObject({ journey_status: 'active', messages: [{ state: 'decided' }] });
});
