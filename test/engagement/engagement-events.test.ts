import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  EngagementItem,
  engagementListFields,
} from '../../src/engagement/engagement-events/engagement-event.ts';
import { earliestKeptMs } from '../../src/engagement/engagement-events/rules.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { Reply, TestTeam } from '../support/api.ts';

const path = '/v2/partner/engagement-events';

const api = useTestApi();
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
});

const send = (events: object[], of = team) => of.post(path, { events });
const problemsOf = ({ body }: Reply) =>
  body.errors.map(({ meta }: any) => [meta.rule, meta.pointer]);

async function make(url: string, body: object, of = team): Promise<string> {
  const reply = await of.post(url, body);
  expect(reply.status).toBe(201);
  return reply.body.id;
}
const aContact = (of = team) => make('/v2/partner/contacts', { unique_id: randomUUID() }, of);
async function aTemplate() {
  const template = await make('/v2/partner/templates', { name: 'Welcome' });
  const of = `/v2/partner/templates/${template}`;
  const message = await make(`${of}/messages`, { name: 'Hello', channel: 'sms' });
  const page = await make(`${of}/pages`, { name: 'Start' });
  return { template, message, page };
}

describe('recording', () => {
  test('an event is stored with every submitted field and found by its id', async () => {
    const contact_id = await aContact();
    const { template, page } = await aTemplate();
    const event = {
      kind: 'page.viewed',
      channel: 'web',
      contact_id,
      page_id: page,
      occurred_at: '2026-10-01T10:00:00.5+02:00',
      is_machine: false,
      url: 'https://example.com/a',
      user_agent: 'Firefox',
      ip_truncated: '192.0.2.0',
      properties: { depth: 3, nested: { a: [1] } },
      value_cents: 100,
      unique_id: randomUUID(),
    };
    const reply = await send([event]);
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      accepted: 1,
      duplicates: 0,
      data: [{ index: 0, id: expect.any(String), status: 'created' }],
    });
    const read = await team.get(`${path}/${reply.body.data[0].id}`);
    expect(read.body).toEqual({
      ...event,
      id: reply.body.data[0].id,
      type: 'engagement_event',
      team_id: team.id,
      // The page brings its template along.
      template_id: template,
      occurred_at: '2026-10-01T08:00:00.500Z',
      received_at: expect.any(String),
      source: 'api',
    });
  });

  test('a unique_id is recorded once per team and kind', async () => {
    const unique_id = randomUUID();
    const [first] = (await send([{ kind: 'custom', unique_id }])).body.data;
    const again = await send([
      { kind: 'custom', unique_id },
      { kind: 'page.viewed', unique_id },
      { kind: 'page.viewed', unique_id },
    ]);
    expect(again.body).toMatchObject({ accepted: 1, duplicates: 2 });
    expect(again.body.data[0]).toEqual({ index: 0, id: first.id, status: 'duplicate' });
    expect(again.body.data[2].id).toBe(again.body.data[1].id);
    const other = await api.newTeam();
    expect((await send([{ kind: 'custom', unique_id }], other)).body.accepted).toBe(1);
  });

  test('parallel batches with the same events record each event once', async () => {
    const events = Array.from({ length: 40 }, () => ({ kind: 'custom', unique_id: randomUUID() }));
    const shuffled = (turn: number) => [...events.slice(turn), ...events.slice(0, turn)];
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, turn) => send(shuffled(turn * 3))),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(12).fill(201));
    const accepted = replies.reduce((sum, { body }) => sum + Number(body.accepted), 0);
    expect(accepted).toBe(events.length);
    const ids = new Set(replies.flatMap(({ body }) => body.data.map(({ id }: any) => id)));
    expect(ids.size).toBe(events.length);
  });

  test('a batch of 500 events is accepted, and one of 501 is refused as a whole', async () => {
    const events = (count: number) =>
      Array.from({ length: count }, () => ({ kind: 'custom', unique_id: randomUUID() }));
    expect((await send(events(500))).body.accepted).toBe(500);
    const reply = await send(events(501));
    expect(reply.status).toBe(422);
    expect(reply.body.errors[0]).toMatchObject({ code: 'too_many_items', meta: { max: 500 } });
  });

  test('a batch with one invalid event is refused as a whole, with every problem named', async () => {
    const unique_id = randomUUID();
    const reply = await send([
      { kind: 'custom', unique_id },
      { kind: 'custom', contact_id: randomUUID(), occurred_at: '2020-01-01T00:00:00Z' },
      { kind: 'custom', occurred_at: new Date(Date.now() + 400_000).toISOString() },
      { kind: 'custom', properties: { text: 'x'.repeat(9_000) } },
      { kind: 'custom', journey_id: randomUUID() },
    ]);
    expect(reply.status).toBe(422);
    expect(problemsOf(reply).sort()).toEqual([
      ['max', '/events/2/occurred_at'],
      ['max_length', '/events/3/properties'],
      ['min', '/events/1/occurred_at'],
      ['reference_not_found', '/events/1/contact_id'],
      ['reference_not_found', '/events/4/journey_id'],
    ]);
    expect((await send([{ kind: 'custom', unique_id }])).body.accepted).toBe(1);
  });

  test('kinds that only the service records are refused', async () => {
    for (const kind of ['objective.completed', 'journey.started', 'account.opened', 'nonsense']) {
      expect(problemsOf(await send([{ kind }]))).toEqual([['enum', '/events/0/kind']]);
    }
  });

  test('a contact of another team is refused', async () => {
    const theirs = await aContact(await api.newTeam());
    expect(problemsOf(await send([{ kind: 'custom', contact_id: theirs }]))).toEqual([
      ['reference_not_found', '/events/0/contact_id'],
    ]);
  });

  test('retention ends 25 months back, on the last day of shorter months', () => {
    const of = (at: string) => new Date(earliestKeptMs(Date.parse(at))).toISOString();
    expect(of('2026-11-21T15:00:00Z')).toBe('2024-10-21T15:00:00.000Z');
    expect(of('2026-03-31T00:00:00Z')).toBe('2024-02-29T00:00:00.000Z');
  });
});

describe('last_engaged_at', () => {
  const engagedAt = async (id: string) =>
    (await team.get(`/v2/partner/contacts/${id}`)).body.last_engaged_at;

  test('advances with human engagement and never moves back', async () => {
    const contact_id = await aContact();
    const at = (minute: number) => `2026-09-01T10:0${minute}:00.000Z`;
    await send([
      { kind: 'message.delivered', contact_id, occurred_at: at(9) },
      { kind: 'message.opened', contact_id, occurred_at: at(8), is_machine: true },
    ]);
    expect(await engagedAt(contact_id)).toBeUndefined();
    await send([
      { kind: 'message.opened', contact_id, occurred_at: at(2) },
      { kind: 'message.clicked', contact_id, occurred_at: at(5) },
      { kind: 'page.viewed', contact_id, occurred_at: at(3) },
    ]);
    expect(await engagedAt(contact_id)).toBe(at(5));
    await send([{ kind: 'page.viewed', contact_id, occurred_at: at(1) }]);
    expect(await engagedAt(contact_id)).toBe(at(5));
  });
});

describe('lists', () => {
  const kinds = EngagementItem.properties.kind.enum;
  test.each([
    ...kinds.map((kind) => ({ field: 'kind', value: kind, event: { kind } })),
    ...engagementListFields.channel.values.map((channel) => ({
      ...{ field: 'channel', value: channel, event: { kind: 'custom', channel } },
    })),
  ])('$field $value is shown, and the filter finds it', async ({ field, value, event }) => {
    const own = await api.newTeam();
    const { body } = await send([event, { kind: 'custom', unique_id: randomUUID() }], own);
    const found = await own.get(`${path}?filter[${field}]=${value}&sort=occurred_at`);
    expect(found.body.data).toContainEqual(
      expect.objectContaining({ ...event, id: body.data[0].id, source: 'api' }),
    );
    expect(found.body.data).toHaveLength(value === 'custom' ? 2 : 1);
  });

  test('a template and a contact show their events, newest first, up to 200 a page', async () => {
    const { template, message } = await aTemplate();
    const contact_id = await aContact();
    const events = Array.from({ length: 205 }, (_, at) => ({
      kind: 'message.opened',
      message_id: message,
      contact_id,
      occurred_at: new Date(Date.UTC(2026, 0, 1) + at * 3_600_000).toISOString(),
    }));
    await send(events);
    await send([{ kind: 'custom' }]);
    for (const url of [
      `/v2/partner/templates/${template}/engagement-events`,
      `/v2/partner/contacts/${contact_id}/engagement-events`,
    ]) {
      const first = await team.get(`${url}?page[size]=200&meta=count&include=contact,message`);
      expect(first.body.meta.count).toBe(205);
      expect(first.body.data).toHaveLength(200);
      expect(first.body.data[0].occurred_at).toBe(events.at(-1)?.occurred_at);
      expect(first.body.data[0].relationships).toMatchObject({
        contact: { id: contact_id },
        message: { id: message },
      });
      const next = `${url}?page[size]=200&page[after]=${first.body.page.next_cursor}`;
      expect((await team.get(next)).body.data).toHaveLength(5);
      expect((await team.get(`${url}?page[size]=201`)).body.errors[0].code).toBe(
        'invalid_page_size',
      );
    }
    const unknown = `/v2/partner/templates/${randomUUID()}/engagement-events`;
    expect((await team.get(unknown)).status).toBe(404);
  });

  test.each([
    ['filter[kind]=message.opened', 2],
    ['filter[is_machine]=true', 1],
    ['filter[channel][in]=web,email', 2],
    ['filter[source]=api', 3],
    ['filter[occurred_at][gte]=2026-05-02T00:00:00Z', 2],
    ['filter[contact_id][missing]=true', 3],
  ])('?%s finds %d', async (query, count) => {
    const own = await api.newTeam();
    const day = (date: number) => `2026-05-0${date}T00:00:00Z`;
    await send(
      [
        { kind: 'message.opened', channel: 'email', occurred_at: day(1), is_machine: true },
        { kind: 'message.opened', channel: 'sms', occurred_at: day(2) },
        { kind: 'page.viewed', channel: 'web', occurred_at: day(3) },
      ],
      own,
    );
    expect((await own.get(`${path}?${query}`)).body.data).toHaveLength(count);
  });
});
