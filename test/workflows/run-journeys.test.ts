import { beforeAll, expect, test } from '@jest/globals';
import {
  aReader,
  aSendingTemplate,
  aText,
  anEmail,
  deliveriesOf,
  enrolled,
  mailboxOf,
} from '../journeys/a-send.ts';
import type { TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { useService } from '../support/use-service.ts';
import { recordHistory } from '../support/histories.ts';
import { jobId } from '../../src/platform/jobs/shape.ts';
import { journeyLane } from '../../workflows/lanes.ts';

// With RECORD_HISTORIES=1 the runs below are stored under test/histories.
const { api, temporal } = useService({ SEND_LEASE_SECONDS: '3' });
let team: TestTeam;

beforeAll(async () => {
  team = await api.newTeam();
  await team.patch('/v2/partner/team', { quiet_hours: null, frequency_cap: null });
});

const deliveries = (template: { id: string }) => () => deliveriesOf(team, template.id);
const isAll = (status: string, count: number) => (found: { status: string }[]) =>
  found.length === count && found.every((one) => one.status === status);
const laneOf = (contactId: string) => Math.floor(parseInt(contactId.slice(-2), 16) / 64);

test('an enrollment becomes messages in the mailbox, rendered for the contact', async () => {
  const subscription = await team.post('/v2/partner/webhook-subscriptions', {
    target_url: 'https://example.com/hook',
    event_types: ['message.*'],
  });
  const template = await aSendingTemplate(team, [anEmail, aText]);
  const contact = await aReader(team, { first_name: 'Grace <b>', phone: '+14155550177' });
  const [journey] = await enrolled(team, template, [contact]);
  const sent = await eventually(deliveries(template), isAll('sent', 2));
  const email = sent.find(({ channel }) => channel === 'email');
  expect(email).toMatchObject({
    ...{ provider: 'mailbox', provider_message_id: email.id, contact_id: contact },
    to_masked: expect.stringMatching(/^.\*\*\*@example\.com$/),
  });
  const kept = (await mailboxOf(team)).find(({ id }) => id === email.id);
  expect(kept?.content).toMatchObject({
    subject: 'Hello Grace <b>',
    from: { address: 'hello@bank.example' },
    unsubscribeUrl: expect.stringContaining('http://onward.test/unsubscribe/dou~'),
  });
  expect(kept?.content.html).toContain('Dear Grace &lt;b&gt;');
  expect(kept?.content.html).toContain('href="http://onward.test/journey#dol~');
  expect(kept?.content.text).toContain('Dear Grace <b>, go on (http://onward.test/journey#dol~');

  const events = await team.get(
    `/v2/partner/engagement-events?filter[journey_id]=${journey ?? ''}`,
  );
  const kinds = events.body.data.map(({ kind }: { kind: string }) => kind);
  expect(kinds.filter((kind: string) => kind === 'message.sent')).toHaveLength(2);
  const told = await api.db.look(
    (sql) => sql<{ body: string }[]>`
      select body from webhook_events where team_id = ${team.id} and type = 'message.sent'`,
  );
  expect(told).toHaveLength(2);
  const stats = await team.get(`/v2/partner/templates/${template.id}/messages`);
  expect(stats.body.data[0].stats).toMatchObject({ queued: 1, sent: 1, failed: 0, skipped: 0 });
  await team.delete(`/v2/partner/webhook-subscriptions/${String(subscription.body.id)}`);
});

test('a lane sleeps until the next step is due, and ends when nothing waits', async () => {
  const delayed = { ...anEmail, trigger: { kind: 'delay', delay: 'PT1H' } };
  const template = await aSendingTemplate(team, [anEmail, delayed]);
  const contact = await aReader(team);
  const [journey = ''] = await enrolled(team, template, [contact]);
  await eventually(deliveries(template), isAll('sent', 1));
  const lane = temporal.handleOf(jobId(journeyLane, String(laneOf(contact))));
  const history = await eventually(
    () => lane.fetchHistory(),
    ({ events }) =>
      (events ?? []).some(
        ({ timerStartedEventAttributes: timer }) =>
          Number(timer?.startToFireTimeout?.seconds ?? 0) > 3_000,
      ),
  );
  expect(history.events?.length).toBeGreaterThan(0);
  // The hour passes.
  await api.db.look(
    (sql) => sql`
      update journeys set next_due_at = now(),
        scheduled_steps = jsonb_set(scheduled_steps, array[${template.messageIds[1] ?? ''}, 'due_at'],
          to_jsonb(now()))
      where id = ${journey}`,
  );
  await eventually(deliveries(template), isAll('sent', 2));
  const counts = await lane.result();
  // The run may have begun with the messages of another test, whose contacts have the same lane.
  expect(counts.sent).toBeGreaterThanOrEqual(2);
  expect(counts).toMatchObject({ journeys: expect.any(Number), failed: 0 });
  await recordHistory(lane, 'run-lane/slept');
});

test('a pause, a cancellation and an end are respected up to the moment of sending', async () => {
  const template = await aSendingTemplate(team);
  const other = await aSendingTemplate(team);
  const [paused, canceled, ended] = [await aReader(team), await aReader(team), await aReader(team)];
  const contacts = [canceled, ended];
  const journeys = await enrolled(team, template, contacts, {
    status: 'active',
    next_due_at: null,
  });
  const [held = ''] = await enrolled(team, other, [paused], {
    status: 'active',
    next_due_at: null,
  });
  await team.post(`/v2/partner/templates/${other.id}/pause`);
  // Decided, and not yet in the queue.
  const rows = [
    { contact_id: canceled, journey_id: journeys[0], template },
    { contact_id: ended, journey_id: journeys[1], template },
    { contact_id: paused, journey_id: held, template: other },
  ].map(({ template: { id, messageIds }, ...about }) => ({
    ...{ team_id: team.id, template_id: id, message_id: messageIds[0] ?? '', ...about },
    ...{ channel: 'email', status: 'queued' },
  }));
  const made = await api.db.look(
    (sql) => sql<{ id: string; inserted_at: string }[]>`
      insert into message_deliveries ${sql(rows)} returning id, inserted_at`,
  );
  await team.post(`/v2/partner/message-deliveries/${made[0]?.id ?? ''}/cancel`);
  await api.db.look(
    (sql) => sql`
      update journeys set status = 'canceled', exited_at = now() where id = ${journeys[1] ?? ''}`,
  );
  const sends = made.map(({ id, inserted_at }, at) => ({
    ...{ team_id: team.id, id, channel: 'email', delivery_inserted_at: inserted_at },
    ...{ lane: laneOf(rows[at]?.contact_id ?? ''), next_attempt_at: inserted_at },
  }));
  await api.db.look((sql) => sql`insert into message_sends ${sql(sends)}`);
  await eventually(deliveries(template), isAll('canceled', 2));
  const waiting = () =>
    api.db.look(
      (sql) => sql<{ is_claimed: boolean; later: boolean }[]>`
      select is_claimed, next_attempt_at > now() + interval '10 seconds' as later
      from message_sends where team_id = ${team.id}`,
    );
  await eventually(waiting, ([row]) => row?.is_claimed === false && row.later);
  expect(await deliveriesOf(team, other.id)).toMatchObject([{ status: 'queued' }]);
  await team.post(`/v2/partner/templates/${other.id}/resume`);
  await api.db.look((sql) => sql`update message_sends set next_attempt_at = now()`);
  await eventually(deliveries(other), isAll('sent', 1));
  const kept = await mailboxOf(team);
  expect(kept.filter(({ contact_id }) => contact_id === canceled || contact_id === ended)).toEqual(
    [],
  );
});

test('a message in flight cannot be canceled', async () => {
  const template = await aSendingTemplate(team);
  const contact = await aReader(team);
  const row = {
    ...{ team_id: team.id, template_id: template.id, message_id: template.messageIds[0] ?? '' },
    ...{ contact_id: contact, channel: 'email', status: 'queued' },
  };
  const [made] = await api.db.look(
    (sql) => sql<{ id: string; inserted_at: string }[]>`
      insert into message_deliveries ${sql(row)} returning id, inserted_at`,
  );
  const { id = '', inserted_at = '' } = made ?? {};
  const send = {
    ...{ team_id: team.id, id, lane: laneOf(contact), channel: 'email', is_claimed: true },
    ...{
      delivery_inserted_at: inserted_at,
      next_attempt_at: new Date(Date.now() + 60_000).toISOString(),
    },
  };
  await api.db.look((sql) => sql`insert into message_sends ${sql(send)}`);
  const reply = await team.post(`/v2/partner/message-deliveries/${id}/cancel`);
  expect(reply.status).toBe(409);
  expect(reply.body.errors[0].code).toBe('invalid_state_transition');
  await api.db.look((sql) => sql`delete from message_sends where id = ${id}`);
  expect((await team.post(`/v2/partner/message-deliveries/${id}/cancel`)).status).toBe(200);
});
