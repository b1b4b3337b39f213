import { beforeAll, expect, test } from '@jest/globals';
import { lockForEnrollment } from '../../src/journeys/enrollment/enroll.ts';
import { decideDue } from '../../src/journeys/lanes/decide.ts';
import { insertScan } from '../../src/journeys/scans/queries.ts';
import { scanOn } from '../../src/journeys/scans/scan.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { eventTypesOf, subscribe } from '../support/recorded-events.ts';
import { aReader, aSendingTemplate, anEmail, decideTools, deliveriesOf } from './a-send.ts';

const api = useTestApi();
let team: TestTeam;
const dayMs = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString();
const onView = { kind: 'on_event', event_kind: 'page.viewed' };

beforeAll(async () => {
  team = await api.newTeam();
  await team.patch('/v2/partner/team', { timezone: 'Europe/Berlin' });
});

interface Shown {
  id: string;
  contact_id: string;
  status: string;
  started_at: string | null;
  next_due_at: string | null;
  scheduled_steps: Record<string, { due_at: string }>;
}

const journeysOf = (templateId: string) =>
  api.db.look((sql) => sql<Shown[]>`select * from journeys where template_id = ${templateId}`);

/** Enrolls contacts as a launch does the members of a cohort. */
async function scanned(template: string, contactIds: string[], of = team) {
  const cohort = await of.post('/v2/partner/cohorts', { name: template, kind: 'static' });
  const path = `/v2/partner/cohorts/${String(cohort.body.id)}/members/add`;
  expect((await of.post(path, { contact_ids: contactIds })).status).toBe(200);
  await api.db.database.transact(async (sql) => {
    const cohort_ids = [String(cohort.body.id)];
    await insertScan(sql, { team_id: of.id, id: template, template_id: template, cohort_ids });
    await scanOn(sql, await lockForEnrollment(sql, of.id, template), template, 100);
  });
  return journeysOf(template);
}

/** Runs the lanes until what is scheduled has started. */
async function begin() {
  const tools = decideTools(api);
  for (const lane of [0, 1, 2, 3]) {
    await api.db.database.transact((sql) => decideDue(sql, tools, lane, Date.now() + 1_000));
  }
}

test('a journey without a due step begins at its enrollment, with the same result as in a lane', async () => {
  const template = await aSendingTemplate(team, [
    { ...anEmail, trigger: { kind: 'date', date: inDays(30), at_local_time: '09:00' } },
    { ...anEmail, trigger: { kind: 'date', date: inDays(-2) } },
    { ...anEmail, trigger: { kind: 'date', date: inDays(40), weekday_mask: 2 } },
    { ...anEmail, trigger: onView },
  ]);
  const zones = ['America/New_York', 'Asia/Kolkata', undefined, 'America/New_York'];
  const people = async () =>
    Promise.all(zones.map((timezone) => aReader(team, timezone ? { timezone } : {})));
  const [byScan, byLane] = [await people(), await people()];
  const own = await scanned(template.id, byScan);
  expect(own.every(({ status, started_at }) => status === 'active' && started_at)).toBe(true);

  for (const contact_id of byLane) {
    const path = `/v2/partner/templates/${template.id}/enrollments`;
    const { status, body } = await team.post(path, { contact_id });
    expect([status, body.status]).toEqual([201, 'scheduled']);
  }
  await begin();
  const all = new Map((await journeysOf(template.id)).map((one) => [one.contact_id, one]));
  const dueOf = (contacts: readonly string[]) =>
    contacts.map((id) => {
      const { status, scheduled_steps, next_due_at } = all.get(id) ?? {};
      return { status, scheduled_steps, next_due_at };
    });
  expect(dueOf(byScan)).toEqual(dueOf(byLane));
  const [first, third] = [template.messageIds[0] ?? '', template.messageIds[2] ?? ''];
  expect(own.map(({ scheduled_steps: steps }) => Object.keys(steps).sort())).toEqual(
    own.map(() => [first, third].sort()),
  );
  expect(new Set(own.map(({ scheduled_steps: steps }) => steps[first]?.due_at)).size).toBe(3);
  expect(await deliveriesOf(team, template.id)).toEqual([]);
});

test('a delay is counted from the enrollment', async () => {
  const template = await aSendingTemplate(team, [
    { ...anEmail, trigger: { kind: 'delay', delay: 'PT72H' } },
  ]);
  const [journey] = await scanned(template.id, [await aReader(team)]);
  const { started_at, next_due_at } = journey ?? {};
  // Clocks of people count milliseconds, that of the database microseconds.
  const tookMs = Date.parse(next_due_at ?? '') - Date.parse(started_at ?? '');
  expect(Math.abs(tookMs - 3 * dayMs)).toBeLessThanOrEqual(1);
});

test('a journey with a step that is due at once is left to its lane', async () => {
  const template = await aSendingTemplate(team, [
    { ...anEmail, trigger: { kind: 'delay', delay: 'P3D' } },
    anEmail,
  ]);
  const [journey] = await scanned(template.id, [await aReader(team)]);
  expect(journey).toMatchObject({ status: 'scheduled', started_at: null, scheduled_steps: {} });
  await begin();
  expect(await deliveriesOf(team, template.id)).toMatchObject([{ status: 'queued' }]);
});

test('subscribers receive journey.enrolled and journey.started, once each', async () => {
  const listening = await api.newTeam();
  await subscribe(api, listening);
  const template = await aSendingTemplate(listening, [
    { ...anEmail, trigger: { kind: 'delay', delay: 'P3D' } },
  ]);
  const [journey] = await scanned(template.id, [await aReader(listening)], listening);
  await begin();
  const told = ['journey.enrolled', 'journey.started'];
  expect(await eventTypesOf(api, listening, journey?.id ?? '')).toEqual(told);
  const path = `/v2/partner/engagement-events?filter[journey_id]=${journey?.id ?? ''}`;
  const { body } = await listening.get(path);
  // The newest first.
  expect(body.data.map(({ kind }: { kind: string }) => kind)).toEqual(told.toReversed());
});
