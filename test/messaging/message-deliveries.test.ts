import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { array, assert, constantFrom, property } from 'fast-check';
import { MessageDelivery } from '../../src/messaging/message-deliveries/message-delivery.ts';
import {
  deliveryStatuses,
  explain,
  mayCancel,
  statusAfter,
} from '../../src/messaging/message-deliveries/rules.ts';
import type { DeliveryStatus } from '../../src/messaging/message-deliveries/rules.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { at, codesOf, templates } from '../campaigns/a-template.ts';

const api = useTestApi();

const deliveries = '/v2/partner/message-deliveries';

/** A delivery as the sending engine writes it; in the month of `inserted_at` if that is given. */
async function aDelivery(team: TestTeam, fields: object = {}): Promise<string> {
  const ids = { message_id: randomUUID(), template_id: randomUUID(), contact_id: randomUUID() };
  const row = { team_id: team.id, ...ids, channel: 'email', status: 'queued', ...fields };
  const [made] = await api.db.look(
    (sql) => sql<{ id: string }[]>`insert into message_deliveries ${sql(row)} returning id`,
  );
  return made?.id ?? '';
}
const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

describe('the status of a delivery', () => {
  const order: DeliveryStatus[] = ['scheduled', 'queued', 'sent', 'delayed', 'delivered'];
  const rankOf = (status: DeliveryStatus) => {
    const rank = order.indexOf(status);
    return rank === -1 ? order.length : rank;
  };
  const reports = array(constantFrom(...deliveryStatuses), { maxLength: 20 });

  test('never moves down, for any reports in any order', () => {
    assert(
      property(reports, (reported) => {
        let status: DeliveryStatus = 'scheduled';
        for (const report of reported) {
          const next = statusAfter(status, report);
          expect(rankOf(next)).toBeGreaterThanOrEqual(rankOf(status));
          if (next !== status) expect(next).toBe(report);
          expect(statusAfter(next, report)).toBe(next);
          status = next;
        }
      }),
    );
  });

  test('does not depend on the order of reports of one success', () => {
    const story = ['queued', 'sent', 'delayed', 'delivered'] as const;
    assert(
      property(array(constantFrom(...story), { minLength: 1, maxLength: 8 }), (reported) => {
        const end = (list: readonly DeliveryStatus[]) =>
          list.reduce<DeliveryStatus>(statusAfter, 'scheduled');
        expect(end([...reported].reverse())).toBe(end(reported));
      }),
    );
  });

  test.each(['suppressed', 'skipped', 'canceled'] as const)(
    'ends with %s only before it was sent, and for good',
    (end) => {
      for (const status of deliveryStatuses) {
        expect(statusAfter(status, end)).toBe(mayCancel(status) ? end : status);
        expect(statusAfter(end, status)).toBe(end);
      }
    },
  );
});

describe('the list', () => {
  test('runs from the newest on across months, and back', async () => {
    const team = await api.newTeam();
    const ids: string[] = [];
    for (const inserted_at of [
      '2020-03-01T00:00:00Z',
      '2025-12-31T23:59:59Z',
      '2026-11-02T00:00:00Z',
    ]) {
      ids.unshift(await aDelivery(team, { inserted_at }));
    }
    const first = await team.get(`${deliveries}?page[size]=2`);
    expect(idsOf(first.body)).toEqual(ids.slice(0, 2));
    const next = await team.get(
      `${deliveries}?page[size]=2&page[after]=${first.body.page.next_cursor}`,
    );
    expect(idsOf(next.body)).toEqual(ids.slice(2));
    const back = await team.get(
      `${deliveries}?page[size]=2&page[before]=${next.body.page.prev_cursor}`,
    );
    expect(idsOf(back.body)).toEqual(ids.slice(0, 2));
  });

  test('is filtered by the owner and the status of a delivery', async () => {
    const team = await api.newTeam();
    const requested = {
      message_id: randomUUID(),
      template_id: randomUUID(),
      contact_id: randomUUID(),
      journey_id: randomUUID(),
      status: 'skipped',
      skip_reason: 'no_consent',
      channel: 'sms',
      sent_at: '2026-01-01T00:00:00Z',
    };
    const id = await aDelivery(team, requested);
    await aDelivery(team);
    for (const [field, value] of Object.entries(requested)) {
      const { body } = await team.get(
        `${deliveries}?filter[${field}]=${encodeURIComponent(value)}`,
      );
      expect([field, ...idsOf(body)]).toEqual([field, id]);
    }
    const sorted = await team.get(`${deliveries}?sort=-sent_at`);
    expect(sorted.status).toBe(200);
  });

  test('of a contact holds its deliveries, with their message', async () => {
    const team = await api.newTeam();
    const contact = await team.post('/v2/partner/contacts', { unique_id: randomUUID() });
    const template = await team.post(templates, { name: 'T' });
    const message = await team.post(at(template.body.id, '/messages'), {
      name: 'M',
      channel: 'sms',
    });
    const id = await aDelivery(team, {
      contact_id: contact.body.id,
      message_id: message.body.id,
      template_id: template.body.id,
    });
    await aDelivery(team);
    const byId = `/v2/partner/contacts/${String(contact.body.id)}/message-deliveries`;
    const { body } = await team.get(`${byId}?include=contact,message`);
    const key = `unique_id:${String(contact.body.unique_id)}`;
    const byKey = await team.get(
      `/v2/partner/contacts/${key}/message-deliveries?include=contact,message`,
    );
    expect(byKey.body.data).toEqual(body.data);
    expect(body.data).toMatchObject([
      {
        id,
        relationships: { contact: { id: contact.body.id }, message: { id: message.body.id } },
      },
    ]);
  });

  test.each([
    ['message_id', 'message_deliveries_\\d+_team_id_message_id'],
    ['contact_id', 'message_deliveries_\\d+_team_id_contact_id'],
    ['journey_id', 'message_deliveries_\\d+_team_id_journey_id'],
    ['provider_message_id', 'message_deliveries_\\d+_team_id_provider_message_id'],
  ])('has an index for %s in every partition', async (_, name) => {
    const rows = await api.db.look(
      (sql) => sql<{ indexname: string }[]>`
        select indexname from pg_indexes where tablename ~ '^message_deliveries_\\d+$'`,
    );
    const found = rows.filter(({ indexname }) => new RegExp(`^${name}`).test(indexname));
    expect(found.length).toBeGreaterThanOrEqual(4);
  });
});

describe('a delivery of any kind', () => {
  test.each(MessageDelivery.properties.provider.enum)('by %s names it', async (name) => {
    const team = await api.newTeam();
    const id = await aDelivery(team, { provider: name });
    expect((await team.get(`${deliveries}/${id}`)).body).toMatchObject({ provider: name });
  });

  test.each(deliveryStatuses)('is found as %s, and explained', async (state) => {
    const team = await api.newTeam();
    const id = await aDelivery(team, { status: state });
    await aDelivery(team, { status: state === 'sent' ? 'queued' : 'sent' });
    const { body } = await team.get(`${deliveries}?filter[status]=${state}`);
    expect(body.data).toMatchObject([{ id, status: state }]);
    const explained = await team.get(`${deliveries}/${id}/explain`);
    expect(explained.body).toMatchObject({ delivery_id: id, status: state });
  });
});

describe('the stats of a message', () => {
  test('count each delivery, and remain after it is deleted', async () => {
    const team = await api.newTeam();
    const template = await team.post(templates, { name: 'T' });
    const path = at(template.body.id, '/messages');
    const message = await team.post(path, { name: 'M', channel: 'email' });
    const statsOf = async () => (await team.get(path)).body.data[0].stats;
    const none = {
      ...{ queued: 0, sent: 0, delivered: 0, bounced: 0, failed: 0, opened: 0, opened_machine: 0 },
      ...{ clicked: 0, unsubscribed: 0, complained: 0, skipped: 0 },
    };
    expect(await statsOf()).toEqual(none);

    const fields = { message_id: message.body.id, template_id: template.body.id };
    const ids: string[] = [];
    for (let made = 0; made < 3; made += 1) ids.push(await aDelivery(team, fields));
    await aDelivery(team, { ...fields, status: 'skipped', skip_reason: 'holdout' });
    expect(await statsOf()).toEqual({ ...none, queued: 3, skipped: 1 });

    // One statement for all, as the engine writes; by the role of the application.
    await api.db.database.transact(
      (sql) => sql`
        update message_deliveries
        set status = 'delivered', sent_at = now(), delivered_at = now()
        where team_id = ${team.id} and id = any(${ids}::uuid[])`,
    );
    await api.db.database.transact(
      (sql) => sql`
        update message_deliveries
        set first_opened_at = now(), open_count = 2, first_clicked_at = now(),
          machine_open_count = 1
        where team_id = ${team.id} and id = ${ids[0] ?? ''}`,
    );
    const sum = { queued: 3, sent: 3, delivered: 3, opened: 1, opened_machine: 1, clicked: 1 };
    expect(await statsOf()).toEqual({ ...none, ...sum, skipped: 1 });
    await api.db.look((sql) => sql`truncate message_deliveries`);
    expect(await statsOf()).toEqual({ ...none, ...sum, skipped: 1 });
  });
});

test('the stats of a variant follow its deliveries, those without one included', async () => {
  const team = await api.newTeam();
  const template = await team.post(templates, { name: 'T' });
  const path = at(template.body.id, '/messages');
  const message = await team.post(path, { name: 'M', channel: 'email' });
  const fields = { message_id: message.body.id, template_id: template.body.id };
  const shown = async () => (await team.get(path)).body.data[0].stats_by_variant;

  await aDelivery(team, { ...fields, status: 'sent' });
  expect(await shown()).toEqual([]);
  const id = await aDelivery(team, { ...fields, variant_key: 'b' });
  await aDelivery(team, { ...fields, variant_key: 'a', status: 'skipped', skip_reason: 'holdout' });
  const [none, ...others] = await shown();
  expect([none.variant_key, none.queued, none.sent]).toEqual([undefined, 1, 1]);
  expect(others).toMatchObject([
    { variant_key: 'a', queued: 0, skipped: 1 },
    { variant_key: 'b', queued: 1, sent: 0 },
  ]);
  await api.db.database.transact(
    (sql) => sql`
      update message_deliveries set status = 'sent', sent_at = now()
      where team_id = ${team.id} and id = ${id}`,
  );
  expect((await shown()).at(-1)).toMatchObject({ variant_key: 'b', queued: 1, sent: 1 });
});

test('a delivery is canceled only before it was sent', async () => {
  const team = await api.newTeam();
  const waiting = await aDelivery(team, { status: 'scheduled' });
  const canceled = await team.post(`${deliveries}/${waiting}/cancel`);
  expect(canceled.body).toMatchObject({ id: waiting, status: 'canceled' });
  const sent = await aDelivery(team, { status: 'sent' });
  const refused = await team.post(`${deliveries}/${sent}/cancel`);
  expect([refused.status, ...codesOf(refused.body)]).toEqual([409, 'invalid_state_transition']);
});

test('the explanation of a delivery names its skip reason, or its events in order', async () => {
  const team = await api.newTeam();
  const id = await aDelivery(team, { status: 'skipped', skip_reason: 'frequency_cap' });
  const { body } = await team.get(`${deliveries}/${id}/explain`);
  expect(body).toMatchObject({
    delivery_id: id,
    status: 'skipped',
    summary: 'It was not sent: the contact had got as many messages as the team allows.',
  });
  const stamps = {
    scheduled_at: null,
    delivered_at: null,
    first_clicked_at: null,
    failed_at: null,
  };
  const { timeline } = explain({
    status: 'sent',
    skip_reason: null,
    unsubscribed_at: null,
    complained_at: null,
    ...stamps,
    inserted_at: '2026-01-01T00:00:00.000Z',
    first_opened_at: '2026-01-03T00:00:00.000Z',
    sent_at: '2026-01-02T00:00:00.000Z',
  });
  expect(timeline.map(({ what }) => what)).toEqual(['created', 'sent', 'opened']);
});
