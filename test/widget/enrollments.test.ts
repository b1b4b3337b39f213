import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { aTemplateWithPages } from '../journeys/a-journey.ts';
import {
  aScene,
  aToken,
  aVisitor,
  aWidget,
  bank,
  bootstrapByToken,
  cookieOf,
  verdict,
  visitorOf,
} from './a-widget.ts';

const api = useTestApi();

async function aDoor(): Promise<{ team: TestTeam; templateId: string; widgetId: string }> {
  const team = await api.newTeam();
  const templateId = await aTemplateWithPages(team, [{ name: 'Hello' }]);
  const widgetId = await aWidget(team, { widget_kind: 'enrollment', template_id: templateId });
  return { team, templateId, widgetId };
}
const enroll = (token: string, body: object = {}, headers: object = {}) =>
  api.call('POST', '/v2/widget/enrollments', {
    body,
    headers: { Authorization: `Bearer ${token}`, Origin: bank, ...headers },
  });
const ada = { first_name: 'Ada', email: 'ada@example.com' };

describe('an enrollment widget', () => {
  test('creates a contact and a journey for a visitor, and begins a session', async () => {
    const { team, templateId, widgetId } = await aDoor();
    const token = await aToken(team, widgetId, {});
    expect(verdict(await bootstrapByToken(api, token))).toBe('409 journey_not_open');
    const reply = await enroll(token, ada);
    expect(verdict(reply)).toBe('201');
    expect(reply.body.session).toMatchObject({ assurance: 'none' });
    const visitor = visitorOf(api, reply);
    expect(verdict(await visitor.call('GET', visitor.path))).toBe('200');
    const journeys = await team.get('/v2/partner/journeys?filter[enrolled_via]=widget');
    const [journey] = journeys.body.data;
    expect(journey).toMatchObject({ template_id: templateId, enrolled_via: 'widget' });
    const contact = await team.get(`/v2/partner/contacts/${String(journey.contact_id)}`);
    expect(contact.body).toMatchObject(ada);
  });

  test('counts enrolled and already enrolled visitors in the insights, each token once', async () => {
    const { team, widgetId } = await aDoor();
    const first = await aToken(team, widgetId, {});
    await enroll(first, ada);
    await enroll(first, ada);
    const [row] = await api.db.look(
      (sql) => sql<{ contact_id: string }[]>`
        select contact_id from journeys where team_id = ${team.id}`,
    );
    const known = await aToken(team, widgetId, { contact_id: row?.contact_id });
    expect(verdict(await enroll(known))).toBe('200');
    const { body } = await team.get('/v2/partner/insights/advanced/enrollment-widget');
    expect(body.value).toMatchObject({ submissions: 2, enrolled: 1, duplicates: 1 });
  });

  test('counts a visitor who leaves without enrolling, and one who enrolls once', async () => {
    const { team, widgetId } = await aDoor();
    const [stays, leaves] = [await aToken(team, widgetId, {}), await aToken(team, widgetId, {})];
    for (const token of [stays, leaves, leaves]) {
      expect(verdict(await bootstrapByToken(api, token))).toBe('409 journey_not_open');
    }
    expect(verdict(await enroll(stays, ada))).toBe('201');
    const { body } = await team.get('/v2/partner/insights/advanced/enrollment-widget');
    expect(body.value).toMatchObject({ loads: 2, unique_visitors: 2, submissions: 1, enrolled: 1 });
    expect(body.value).toMatchObject({ conversion_rate: 0.5 });
  });

  test('enrolls one person per token, also with concurrent requests', async () => {
    const { team, widgetId } = await aDoor();
    const token = await aToken(team, widgetId, {});
    const replies = await Promise.all([0, 1, 2].map(() => enroll(token, ada)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    const ids = new Set(replies.map(({ body }) => String(body.journey.id)));
    expect(ids.size).toBe(1);
    const contacts = await team.get('/v2/partner/contacts?meta=count');
    expect(contacts.body.meta.count).toBe(1);
    const again = await bootstrapByToken(api, token);
    expect([verdict(again), ids.has(again.body.journey.id)]).toEqual(['201', true]);
    const read = await api.call('GET', `/v2/widget/journeys/${String(again.body.journey.id)}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(verdict(read)).toBe('200');
  });

  test('does not match a visitor to a contact with the same address', async () => {
    const { team, widgetId } = await aDoor();
    const known = await team.post('/v2/partner/contacts', { ...ada, unique_id: 'customer-7' });
    const reply = await enroll(await aToken(team, widgetId, {}), ada);
    expect(verdict(reply)).toBe('201');
    const rows = await api.db.look(
      (sql) => sql<{ contact_id: string }[]>`
        select contact_id from journeys where team_id = ${team.id}`,
    );
    expect(rows.map(({ contact_id }) => contact_id)).not.toContain(known.body.id);
    expect(
      verdict(await enroll(await aToken(team, widgetId, {}), { unique_id: 'customer-7' })),
    ).toBe('422 validation_failed');
  });

  test('enrolls the contact of the token, for any body', async () => {
    const { team, widgetId } = await aDoor();
    const known = await team.post('/v2/partner/contacts', { unique_id: randomUUID() });
    const token = await aToken(team, widgetId, { contact_id: known.body.id });
    const reply = await enroll(token, ada);
    expect(verdict(reply)).toBe('201');
    const contact = await team.get(`/v2/partner/contacts/${String(known.body.id)}`);
    expect(contact.body).not.toHaveProperty('email');
    expect((await team.get('/v2/partner/contacts?meta=count')).body.meta.count).toBe(1);
  });

  test('reads a number as people write it, by the country of the team', async () => {
    const { team, widgetId } = await aDoor();
    await team.patch('/v2/partner/team', { locale: 'de-DE' });
    const token = await aToken(team, widgetId, {});
    const reply = await enroll(token, { email: 'ada@Bücher.example', phone: '030 1234567' });
    expect(verdict(reply)).toBe('201');
    const { body } = await team.get('/v2/partner/contacts');
    expect(body.data).toMatchObject([
      { email: 'ada@xn--bcher-kva.example', phone: '+49301234567' },
    ]);
  });

  test('enrolls no visitor while its template is paused', async () => {
    const { team, templateId, widgetId } = await aDoor();
    await team.post(`/v2/partner/templates/${templateId}/pause`);
    const reply = await enroll(await aToken(team, widgetId, {}), ada);
    expect(verdict(reply)).toBe('409 invalid_state_transition');
    expect((await team.get('/v2/partner/contacts?meta=count')).body.meta.count).toBe(0);
  });

  test.each([
    ['nobody who can be reached', { first_name: 'Ada' }, '422 validation_failed'],
    ['an address that is none', { email: 'ada' }, '422 validation_failed'],
    ['a number that is none', { ...ada, phone: '+49 30 1' }, '422 validation_failed'],
    ['consents by the way', { ...ada, consents: {} }, '422 validation_failed'],
  ])('refuses %s', async (_, body, refusal) => {
    const { team, widgetId } = await aDoor();
    expect(verdict(await enroll(await aToken(team, widgetId, {}), body))).toBe(refusal);
  });

  test('is the only kind that enrolls, by token and from its pages', async () => {
    const scene = await aScene(api);
    const visitor = await aVisitor(api, scene);
    expect(verdict(await enroll(visitor.token, ada))).toBe('409 conflict');
    const byCookie = await visitor.call('POST', '/v2/widget/enrollments', { body: ada });
    expect(verdict(byCookie)).toBe('409 conflict');
    const { team, widgetId } = await aDoor();
    const token = await aToken(team, widgetId, {});
    const evil = await enroll(token, ada, { Origin: 'https://evil.example.com' });
    expect(verdict(evil)).toBe('422 origin_not_allowed');
    expect(cookieOf(evil)).toBe('');
  });
});
