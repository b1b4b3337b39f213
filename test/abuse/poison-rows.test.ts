import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { useService } from '../support/use-service.ts';
import { usePoison } from './poison.ts';
import { aReader, aSendingTemplate, anEmail, deliveriesOf } from '../journeys/a-send.ts';

// One row of a team cannot be written, by a trigger that the test makes. The rows of everybody else
// are processed, and that row fails or waits alone.

const { api, temporal } = useService();
const { refuse, setAside } = usePoison(api);
let receiver: Receiver;
let harmed: TestTeam;
let others: TestTeam;

const unlimited = { quiet_hours: null, frequency_cap: null };

beforeAll(async () => {
  receiver = await startReceiver();
  [harmed, others] = [await api.newTeam(), await api.newTeam()];
  for (const team of [harmed, others]) await team.patch('/v2/partner/team', unlimited);
});
afterAll(() => receiver.stop());

async function made(team: TestTeam, path: string, body: object): Promise<any> {
  const reply = await team.post(path, body);
  if (reply.status >= 300) throw new Error(`${path}: ${JSON.stringify(reply.body)}`);
  return reply.body;
}
const enroll = (team: TestTeam, templateId: string, contact_id: string) =>
  made(team, `/v2/partner/templates/${templateId}/enrollments`, { contact_id });
const journeyOf = async (team: TestTeam, id: string) =>
  (await team.get(`/v2/partner/journeys/${id}`)).body;
test('a journey that cannot be decided over fails alone, in every lane and team', async () => {
  const poison = await refuse('message_deliveries', 'contact_id', `new.status = 'queued'`);
  const [bad, good] = [await aSendingTemplate(harmed), await aSendingTemplate(others)];
  const contactIds = await Promise.all(Array.from({ length: 8 }, () => aReader(harmed)));
  for (const id of contactIds) await poison(id);
  const journeys = await Promise.all(contactIds.map((id) => enroll(harmed, bad.id, id)));
  const readers = await Promise.all(Array.from({ length: 8 }, () => aReader(others)));
  for (const id of readers) await enroll(others, good.id, id);
  const sent = await eventually(
    () => deliveriesOf(others, good.id),
    (rows) => rows.filter(({ status }) => status === 'sent').length === readers.length,
  );
  expect(sent).toHaveLength(readers.length);
  for (const { id } of journeys) {
    const journey = await eventually(
      () => journeyOf(harmed, String(id)),
      ({ status }) => status === 'failed',
    );
    expect(journey).toMatchObject({ status: 'failed', exit_reason: 'error' });
  }
  expect(await setAside('journeys')).toEqual([]);
});

test('a message whose outcome cannot be stored fails once, and is sent once', async () => {
  const poison = await refuse('message_deliveries', 'contact_id', `new.status = 'sent'`);
  const template = await aSendingTemplate(harmed, [{ ...anEmail, subject: 'Only once' }]);
  const [bad, good] = [await aReader(harmed), await aReader(harmed)];
  await poison(bad);
  for (const id of [bad, good]) await enroll(harmed, template.id, id);
  const rows = await eventually(
    () => deliveriesOf(harmed, template.id),
    (all) => all.length === 2 && all.every(({ status }) => status !== 'queued'),
  );
  const statusOf = (id: string) => rows.find(({ contact_id }) => contact_id === id)?.status;
  expect([statusOf(bad), statusOf(good)]).toEqual(['failed', 'sent']);
  const mails = await api.db.look(
    (sql) => sql`select contact_id from mailbox_messages where contact_id = ${bad}`,
  );
  expect(mails).toHaveLength(1);
  const waiting = await api.db.look(
    (sql) => sql`select id from message_sends where team_id = ${harmed.id}`,
  );
  expect(waiting).toEqual([]);
  expect(await setAside('sends')).toEqual([]);
});

test('a message that cannot be prepared waits; those of its claim are sent', async () => {
  const push = { name: 'Push', channel: 'push', title: 'Hello', body: 'Hello' };
  const template = await aSendingTemplate(harmed, [{ ...push, respect_quiet_hours: false }]);
  const contactIds = [await aReader(harmed), await aReader(harmed), await aReader(harmed)];
  for (const id of contactIds) {
    const device = { token: randomUUID(), platform: 'ios' };
    await made(harmed, `/v2/partner/contacts/${id}/devices`, device);
  }
  const [, bad = ''] = contactIds;
  await api.db.look(
    (sql) => sql`update contact_devices set sealed_token = 'x' where contact_id = ${bad}`,
  );
  for (const id of contactIds) await enroll(harmed, template.id, id);
  const rows = await eventually(
    () => deliveriesOf(harmed, template.id),
    (all) => all.length === 3 && all.filter(({ status }) => status === 'sent').length === 2,
  );
  const statusOf = (id: string) => rows.find(({ contact_id }) => contact_id === id)?.status;
  expect(contactIds.map(statusOf)).toEqual(['sent', 'queued', 'sent']);
  const parked = await eventually(
    () => setAside('send-preparation'),
    (found) => found.length > 0,
  );
  expect(parked).toEqual([
    expect.objectContaining({ team_id: harmed.id, reason: 'Error', attempts: 1 }),
  ]);
});

test('a webhook delivery whose outcome cannot be stored fails once, and is posted once', async () => {
  const poison = await refuse('webhook_attempts', 'subscription_id');
  const subscribe = async (team: TestTeam, path: string) =>
    String(
      (
        await made(team, '/v2/partner/webhook-subscriptions', {
          target_url: receiver.url.replace('/hook', path),
          event_types: ['contact.created'],
        })
      ).id,
    );
  const bad = await subscribe(harmed, '/bad');
  await subscribe(others, '/good');
  await poison(bad);
  await made(harmed, '/v2/partner/contacts', { unique_id: randomUUID() });
  const count = 20;
  for (let at = 0; at < count; at += 1) {
    await made(others, '/v2/partner/contacts', { unique_id: randomUUID() });
  }
  await eventually(
    () => Promise.resolve(receiver.received.filter(({ path }) => path === '/good').length),
    (arrived) => arrived >= count,
  );
  const [delivery] = await eventually(
    async () => (await harmed.get(`/v2/partner/webhook-subscriptions/${bad}/deliveries`)).body.data,
    ([one]) => one?.status === 'failed',
  );
  expect(delivery).toMatchObject({ status: 'failed', error_code: 'outcome_not_stored' });
  expect(receiver.received.filter(({ path }) => path === '/bad')).toHaveLength(1);
  expect(await setAside('webhook-outcomes')).toEqual([]);
});

test('a contact whose membership cannot be written waits; others join the cohort', async () => {
  const poison = await refuse('cohort_members', 'contact_id');
  const definition = { op: 'all', rules: [{ field: 'contact.locale', op: 'eq', value: 'de' }] };
  const cohort = await made(harmed, '/v2/partner/cohorts', {
    ...{ name: 'German', kind: 'dynamic', evaluation_mode: 'realtime', definition },
  });
  await eventually(
    async () => (await harmed.get(`/v2/partner/cohorts/${String(cohort.id)}`)).body,
    ({ evaluation_status }) => evaluation_status === 'ready' || evaluation_status === 'idle',
  );
  const ids = [randomUUID(), randomUUID(), randomUUID()];
  const contacts = await Promise.all(
    ids.map((unique_id) => made(harmed, '/v2/partner/contacts', { unique_id })),
  );
  const [bad, ...good] = contacts.map(({ id }) => String(id));
  await poison(String(bad));
  for (const { id } of contacts) {
    await harmed.patch(`/v2/partner/contacts/${String(id)}`, { locale: 'de' });
  }
  const members = await eventually(
    () =>
      api.db.look<{ contact_id: string }>(
        (sql) => sql`select contact_id from cohort_members where cohort_id = ${String(cohort.id)}`,
      ),
    (rows) => rows.length === good.length,
  );
  expect(members.map(({ contact_id }) => contact_id).sort()).toEqual(good.sort());
  expect(
    await eventually(
      () => setAside('cohort-changes'),
      (rows) => rows.length > 0,
    ),
  ).toEqual([expect.objectContaining({ team_id: harmed.id, row_id: bad, reason: '23514' })]);
});

test('a journey that cannot be ended waits; the others of its template expire', async () => {
  const poison = await refuse('journeys', 'contact_id', `new.status = 'expired'`);
  const template = await aSendingTemplate(harmed, [
    { ...anEmail, trigger: { kind: 'delay', delay: 'P3D' } },
  ]);
  const contactIds = [await aReader(harmed), await aReader(harmed), await aReader(harmed)];
  const journeys = await Promise.all(contactIds.map((id) => enroll(harmed, template.id, id)));
  await poison(String(contactIds[1]));
  await made(harmed, `/v2/partner/templates/${template.id}/expire`, {});
  const statuses = () =>
    Promise.all(journeys.map(async ({ id }) => (await journeyOf(harmed, String(id))).status));
  await eventually(statuses, ([first, , last]) => first === 'expired' && last === 'expired');
  expect(
    await eventually(
      () => setAside('journey-endings'),
      (rows) => rows.length > 0,
    ),
  ).toEqual([expect.objectContaining({ row_id: journeys[1].id })]);
  const run = await temporal.handleOf(`template/${template.id}`).describe();
  expect(run.status.name).not.toBe('FAILED');
});

test('a contact that cannot be enrolled is left out; the others of its cohort begin', async () => {
  const poison = await refuse('journeys', 'contact_id', `new.enrolled_via = 'cohort'`);
  const cohort = await made(harmed, '/v2/partner/cohorts', { name: 'Static', kind: 'static' });
  const contactIds = [await aReader(harmed), await aReader(harmed), await aReader(harmed)];
  await made(harmed, `/v2/partner/cohorts/${String(cohort.id)}/members/add`, {
    contact_ids: contactIds,
  });
  await poison(String(contactIds[0]));
  const template = await aSendingTemplate(harmed, [anEmail], {
    ...{ entry: 'on_launch_snapshot', target_cohort_ids: [cohort.id] },
  });
  const journeys = await eventually(
    async () =>
      (await harmed.get(`/v2/partner/journeys?filter[template_id]=${template.id}`)).body.data,
    (rows) => rows.length === 2,
  );
  expect(journeys.map(({ contact_id }: { contact_id: string }) => contact_id).sort()).toEqual(
    contactIds.slice(1).sort(),
  );
  expect(await setAside('enrollments')).toEqual([
    expect.objectContaining({ team_id: harmed.id, reason: '23514' }),
  ]);
});

test('a team whose audit events cannot be sealed delays no other team', async () => {
  const { sealAll } = await import('../../src/team/audit-events/sealing/seal.ts');
  const { createLog } = await import('../../src/platform/observability/log.ts');
  const poison = await refuse('audit_seals', 'team_id');
  await poison(harmed.id);
  for (const team of [harmed, others]) await team.patch('/v2/partner/team', unlimited);
  const waiting = async () =>
    (
      await api.db.look<{ team_id: string }>(
        (sql) => sql`select distinct team_id from audit_unsealed`,
      )
    ).map(({ team_id }) => team_id);
  await sealAll({
    database: api.db.database,
    keyring: api.keyring,
    log: createLog('silent', 'worker'),
  });
  const left = await waiting();
  expect(left).toContain(harmed.id);
  expect(left).not.toContain(others.id);
  expect(await setAside('audit-seals')).toEqual([
    expect.objectContaining({ team_id: harmed.id, reason: '23514' }),
  ]);
});
