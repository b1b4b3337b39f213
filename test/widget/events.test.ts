import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { subscribe } from '../support/recorded-events.ts';
import { useTestApi } from '../support/use-test-api.ts';
import { anObjective } from '../campaigns/a-template.ts';
import { aJourneyIn, aTemplateWithPages } from '../journeys/a-journey.ts';
import { aScene, aVisitor, aWidget, bootstrapByLink, verdict, visitorOf } from './a-widget.ts';
import type { Visitor } from './a-widget.ts';

const api = useTestApi();

const send = (visitor: Visitor, ...events: object[]) =>
  visitor.call('POST', `${visitor.path}/events`, { body: { events } });
const viewed = (fields: object = {}) => ({
  unique_id: randomUUID(),
  kind: 'page.viewed',
  ...fields,
});

describe('events of a recipient', () => {
  test('are recorded about the contact, the journey, the template and the widget', async () => {
    const scene = await aScene(api);
    const visitor = await aVisitor(api, scene);
    const page_id = String(visitor.body.pages[0].id);
    const reply = await send(
      visitor,
      viewed({ page_id, properties: { seconds: 3 } }),
      viewed({ kind: 'widget.loaded' }),
    );
    expect([reply.status, reply.body]).toEqual([202, { accepted: 2, duplicates: 0 }]);
    const { body } = await scene.team.get(
      `/v2/partner/engagement-events?filter[journey_id]=${scene.journey.id}&filter[kind]=page.viewed`,
    );
    expect(body.data).toMatchObject([
      {
        kind: 'page.viewed',
        channel: 'widget',
        source: 'widget',
        contact_id: scene.journey.contactId,
        template_id: scene.journey.templateId,
        widget_instance_id: scene.widgetId,
        page_id,
        is_machine: false,
        properties: { seconds: 3 },
      },
    ]);
    const contact = await scene.team.get(`/v2/partner/contacts/${scene.journey.contactId}`);
    expect(contact.body.last_engaged_at).toBeTruthy();
    const shown = await visitor.call('GET', visitor.path);
    expect(shown.body.pages[0]).toMatchObject({ is_viewed: true, is_completed: true });
    expect(shown.body.journey.progress.pages_viewed).toBe(1);
  });

  test('of a link have no widget, unlike those of a widget', async () => {
    const scene = await aScene(api);
    const reply = await bootstrapByLink(api, scene.journey.linkToken);
    await send(visitorOf(api, reply, 'http://onward.test'), viewed());
    const { body } = await scene.team.get('/v2/partner/engagement-events?filter[channel]=web');
    expect(body.data).toMatchObject([{ kind: 'page.viewed', source: 'widget' }]);
    expect(body.data[0]).not.toHaveProperty('widget_instance_id');
  });

  test('of a submission are sent to subscribers, once', async () => {
    const scene = await aScene(api);
    await subscribe(api, scene.team);
    const visitor = await aVisitor(api, scene);
    const sent = viewed({ kind: 'widget.submitted', properties: { answer: 'yes' } });
    for (let times = 0; times < 2; times += 1) await send(visitor, viewed(), sent);
    const told = await api.db.look(
      (sql) => sql<{ body: string }[]>`
        select body from webhook_events
        where team_id = ${scene.team.id} and type = 'widget.submitted'`,
    );
    expect(told.map(({ body }) => JSON.parse(body))).toMatchObject([
      {
        type: 'widget.submitted',
        data: {
          type: 'engagement_event',
          kind: 'widget.submitted',
          contact_id: scene.journey.contactId,
          journey_id: scene.journey.id,
          widget_instance_id: scene.widgetId,
          properties: { answer: 'yes' },
        },
      },
    ]);
  });

  test('count once per unique_id, also when they are sent concurrently', async () => {
    const visitor = await aVisitor(api, await aScene(api));
    const event = viewed();
    const replies = await Promise.all(Array.from({ length: 4 }, () => send(visitor, event)));
    expect(replies.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    expect(replies.reduce((sum, { body }) => sum + Number(body.accepted), 0)).toBe(1);
    expect(replies.reduce((sum, { body }) => sum + Number(body.duplicates), 0)).toBe(3);
  });

  test('cannot replace events of other sources under the same key', async () => {
    const scene = await aScene(api);
    const visitor = await aVisitor(api, scene);
    const unique_id = randomUUID();
    await send(visitor, viewed({ unique_id }));
    const second = await aJourneyIn(api, scene.team, scene.journey.templateId);
    const other = await aVisitor(api, { ...scene, journey: second });
    expect((await send(other, viewed({ unique_id }))).body).toEqual({ accepted: 1, duplicates: 0 });
    const reported = await scene.team.post('/v2/partner/engagement-events', {
      events: [{ kind: 'page.viewed', unique_id }],
    });
    expect(reported.body).toMatchObject({ accepted: 1, duplicates: 0 });
  });

  test.each([
    ['a kind of the service', { kind: 'journey.completed' }],
    ['a kind of providers', { kind: 'message.opened' }],
    ['a proof of identity', { kind: 'identity.challenge_passed' }],
    ['the id of a contact', { contact_id: randomUUID() }],
    ['a journey', { journey_id: randomUUID() }],
    ['no key', { unique_id: undefined }],
    ['a page of nobody', { page_id: randomUUID() }],
    ['a moment to come', { occurred_at: '2999-01-01T00:00:00Z' }],
    ['a moment long past', { occurred_at: '2001-01-01T00:00:00Z' }],
    ['too much', { properties: { text: 'x'.repeat(9_000) } }],
  ])('are refused with %s, and then none is recorded', async (_, fields) => {
    const scene = await aScene(api);
    const visitor = await aVisitor(api, scene);
    const reply = await send(visitor, viewed(), viewed(fields));
    expect(verdict(reply)).toBe('422 validation_failed');
    expect(reply.body.errors[0].meta.pointer).toMatch(/^\/events\/1/);
    const { body } = await scene.team.get('/v2/partner/engagement-events?meta=count');
    expect(body.meta.count).toBe(0);
  });

  test('are fifty at most', async () => {
    const visitor = await aVisitor(api, await aScene(api));
    const fifty = Array.from({ length: 50 }, () => viewed());
    expect((await send(visitor, ...fifty)).body.accepted).toBe(50);
    expect(verdict(await send(visitor, ...fifty, viewed()))).toBe('422 too_many_items');
  });

  test('of a page that requires an identity are refused', async () => {
    const pages = [{ name: 'Private', requires_identity_challenge: true }];
    const scene = await aScene(api, { pages });
    const visitor = await aVisitor(api, scene);
    const page_id = String(visitor.body.pages[0].id);
    expect(verdict(await send(visitor, viewed({ page_id })))).toBe('422 validation_failed');
    const known = await aVisitor(api, scene, { assurance: 'authenticated' });
    expect((await send(known, viewed({ page_id }))).status).toBe(202);
  });

  test('that satisfy the rule of a page complete its objective, once per journey', async () => {
    const team = await api.newTeam();
    const objective_id = await anObjective(team);
    const page = { kind: 'form', completion_rule: 'form_submitted', objective_id };
    const templateId = await aTemplateWithPages(team, [{ name: 'Form', ...page }]);
    const journey = await aJourneyIn(api, team, templateId);
    const visitor = await aVisitor(api, { team, journey, widgetId: await aWidget(team) });
    const page_id = String(visitor.body.pages[0].id);
    const completions = async () =>
      (await team.get('/v2/partner/objectives/completions')).body.data;
    await send(visitor, viewed({ page_id }));
    expect(await completions()).toEqual([]);
    await send(visitor, viewed({ page_id, kind: 'page.form_submitted' }));
    await send(visitor, viewed({ page_id, kind: 'page.form_submitted' }));
    expect(await completions()).toMatchObject([
      { objective_id, contact_id: journey.contactId, source: 'widget' },
    ]);
    const shown = await visitor.call('GET', visitor.path);
    expect(shown.body.journey.objectives[0].completed_at).toBeTruthy();
    expect(shown.body.journey.progress.objectives_completed).toBe(1);
  });

  test('do not complete a page that waits for its objective; the completion of the objective does', async () => {
    const team = await api.newTeam();
    const objective_id = await anObjective(team);
    const page = { name: 'Card', completion_rule: 'objective_completed', objective_id };
    const templateId = await aTemplateWithPages(team, [page]);
    const journey = await aJourneyIn(api, team, templateId);
    const visitor = await aVisitor(api, { team, journey, widgetId: await aWidget(team) });
    const isCompleted = async () =>
      (await visitor.call('GET', visitor.path)).body.pages[0].is_completed;
    await send(visitor, viewed({ page_id: String(visitor.body.pages[0].id) }));
    expect(await isCompleted()).toBe(false);
    const at = `/v2/partner/objectives/${objective_id}/completions`;
    const { status } = await team.post(at, { contact_id: journey.contactId, unique_id: 'card' });
    expect([status, await isCompleted()]).toEqual([201, true]);
  });
});

describe('a consent of a recipient', () => {
  const choose = (visitor: Visitor, channel: string, body: object) =>
    visitor.call('PUT', `${visitor.path}/consents/${channel}`, { body });

  test('is recorded with its place and the displayed text', async () => {
    const scene = await aScene(api);
    const visitor = await aVisitor(api, scene);
    const given = await choose(visitor, 'sms', {
      status: 'subscribed',
      disclosure: 'Rates apply.',
    });
    expect(given.body).toMatchObject({ channel: 'sms', status: 'subscribed' });
    await choose(visitor, 'sms', { status: 'subscribed' });
    const taken = await choose(visitor, 'sms', { status: 'unsubscribed' });
    expect(taken.body).toMatchObject({ channel: 'sms', status: 'unsubscribed' });
    const at = `/v2/partner/contacts/${scene.journey.contactId}/consent-changes?sort=inserted_at`;
    const { body } = await scene.team.get(at);
    expect(body.data.map((change: any) => change.consent)).toMatchObject([
      {
        status: 'subscribed',
        source: `widget ${scene.widgetId}`,
        evidence: 'Rates apply. · assurance: none · page: https://bank.example.com',
      },
      { status: 'unsubscribed' },
    ]);
    const events = await scene.team.get('/v2/partner/engagement-events?sort=occurred_at');
    expect(events.body.data.map(({ kind, properties }: any) => [kind, properties])).toEqual([
      ['opt_in.granted', { channel: 'sms', status: 'subscribed' }],
      ['opt_in.revoked', { channel: 'sms', status: 'unsubscribed' }],
    ]);
  });

  test('waits for a confirmation if the widget requires one, for the channels that it offers', async () => {
    const widget = { widget_kind: 'opt_in', opt_in: { channels: ['email'], double_opt_in: true } };
    const contact = { email: 'ada@example.com' };
    const visitor = await aVisitor(api, await aScene(api, { contact, widget }));
    const given = await choose(visitor, 'email', { status: 'subscribed' });
    expect(given.body.status).toBe('pending');
    expect(verdict(await choose(visitor, 'sms', { status: 'subscribed' }))).toBe('404 not_found');
    expect(verdict(await choose(visitor, 'fax', { status: 'subscribed' }))).toBe('404 not_found');
    const never = await choose(visitor, 'email', { status: 'never' });
    expect(verdict(never)).toBe('422 validation_failed');
  });
});
