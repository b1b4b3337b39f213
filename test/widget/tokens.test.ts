import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { useTestApi } from '../support/use-test-api.ts';
import { resign } from '../contract/callers.ts';
import { aJourneyIn, aTemplateWithPages } from '../journeys/a-journey.ts';
import {
  aScene,
  aToken,
  aVisitor,
  aWidget,
  bank,
  bootstrapByToken,
  exchange,
  verdict,
  widgetInstances,
} from './a-widget.ts';

const api = useTestApi();

const journeyAt = (id: string) => `/v2/widget/journeys/${id}`;
const asBearer = (token: string, headers: object = {}) => ({
  headers: { Authorization: `Bearer ${token}`, ...headers },
});

describe('the exchange', () => {
  test('gives a token for an hour that is bound to the widget, the contact and the journey', async () => {
    const { team, journey, widgetId } = await aScene(api);
    const reply = await exchange(team, widgetId, { contact_id: journey.contactId });
    expect(verdict(reply)).toBe('201');
    expect(reply.body).toEqual({
      access_token: expect.stringMatching(/^dow_ey/),
      token_type: 'Bearer',
      expires_in: 3600,
      expires_at: expect.any(String),
      scope: 'widget:journey:render widget:events:write',
      widget_instance_id: widgetId,
      contact_id: journey.contactId,
      journey_id: journey.id,
    });
    const jwt = String(reply.body.access_token).slice('dow_'.length);
    expect(decodeProtectedHeader(jwt)).toMatchObject({ alg: 'ES256', typ: 'widget+jwt' });
    expect(decodeJwt(jwt)).toMatchObject({
      aud: `${api.config.publicBaseUrl}/v2/widget`,
      token_kind: 'widget_instance',
      team_id: team.id,
    });
  });

  test('accepts the unique_id of the contact, and grants exactly the requested scopes', async () => {
    const { team, journey, widgetId } = await aScene(api, { contact: { unique_id: 'customer-7' } });
    const reply = await exchange(team, widgetId, {
      contact_unique_id: 'customer-7',
      scopes: ['widget:journey:render'],
    });
    expect(reply.body).toMatchObject({ journey_id: journey.id, scope: 'widget:journey:render' });
    const token = String(reply.body.access_token);
    const path = journeyAt(journey.id);
    expect(verdict(await api.call('GET', path, asBearer(token)))).toBe('200');
    const blind = await aToken(team, widgetId, {
      contact_unique_id: 'customer-7',
      scopes: ['widget:events:write'],
    });
    expect(verdict(await api.call('GET', path, asBearer(blind)))).toBe('401 scope_missing');
  });

  test.each([
    ['an inactive widget', { is_active: false }, {}, '409 widget_inactive'],
    [
      'a page that the widget does not admit',
      {},
      { origin: 'https://x.test' },
      '422 origin_not_allowed',
    ],
    ['a contact that nobody knows', {}, { contact_id: randomUUID() }, '404 not_found'],
    ['a journey that nobody knows', {}, { journey_id: randomUUID() }, '404 not_found'],
    ['a template that nobody knows', {}, { template_id: randomUUID() }, '404 not_found'],
    ['two names of the contact', {}, { contact_unique_id: 'x' }, '422 validation_failed'],
    [
      'scopes of another surface',
      {},
      { scopes: ['partner:contacts:read'] },
      '422 validation_failed',
    ],
  ])('refuses %s', async (_, widget, body, refusal) => {
    const { team, journey, widgetId } = await aScene(api, { widget });
    const reply = await exchange(team, widgetId, { contact_id: journey.contactId, ...body });
    expect(verdict(reply)).toBe(refusal);
  });

  test('refuses a contact without an open journey, and the journey of another contact', async () => {
    const { team, journey, widgetId } = await aScene(api);
    const other = await team.post('/v2/partner/contacts', { unique_id: randomUUID() });
    const contact_id = String(other.body.id);
    expect(verdict(await exchange(team, widgetId, { contact_id }))).toBe('409 journey_not_open');
    const swapped = await exchange(team, widgetId, { contact_id, journey_id: journey.id });
    expect(verdict(swapped)).toBe('404 not_found');
    await end(journey.id);
    const ended = await exchange(team, widgetId, {
      contact_id: journey.contactId,
      journey_id: journey.id,
    });
    expect(verdict(ended)).toBe('409 journey_not_open');
    const nobody = await exchange(team, widgetId, {});
    expect(verdict(nobody)).toBe('422 validation_failed');
  });

  test('is limited to the template of the widget', async () => {
    const { team, journey } = await aScene(api);
    const templateId = await aTemplateWithPages(team, [{ name: 'Other' }]);
    const widgetId = await aWidget(team, { template_id: templateId });
    const body = { contact_id: journey.contactId };
    expect(verdict(await exchange(team, widgetId, body))).toBe('409 journey_not_open');
    const wrong = await exchange(team, widgetId, { ...body, template_id: journey.templateId });
    expect(verdict(wrong)).toBe('422 validation_failed');
  });

  test('records tokens with an assurance in the audit trail, and counts the others', async () => {
    const { team, journey, widgetId } = await aScene(api);
    await aToken(team, widgetId, { contact_id: journey.contactId });
    await aToken(team, widgetId, { contact_id: journey.contactId, assurance: 'authenticated' });
    const trail = await team.get('/v2/partner/audit-events?filter[resource_type]=widget_instance');
    expect(trail.body.data.map((line: any) => line.action)).toEqual([
      'widget_instance.token_issued',
      'widget_instance.created',
    ]);
    expect(trail.body.data[0]).toMatchObject({
      resource_id: widgetId,
      client_id: team.clientId,
      changed_fields: ['assurance', 'contact_id'],
    });
  });
});

async function end(journeyId: string, ago = '0 hours') {
  await api.db.look(
    (sql) => sql`
      update journeys set status = 'completed', completed_at = now() - ${ago}::interval,
        next_due_at = null
      where id = ${journeyId} returning id`,
  );
}

describe('a widget token', () => {
  test('reads its journey, and no other of any team', async () => {
    const scene = await aScene(api);
    const { team, journey } = scene;
    const second = await aJourneyIn(api, team, journey.templateId);
    const stranger = await aScene(api);
    const { token } = await aVisitor(api, scene);
    expect(verdict(await api.call('GET', journeyAt(journey.id), asBearer(token)))).toBe('200');
    for (const id of [second.id, stranger.journey.id, randomUUID(), 'x']) {
      const reply = await api.call('GET', journeyAt(id), asBearer(token));
      expect(verdict(reply)).toBe('404 not_found');
    }
  });

  test('grants no other surface, and a partner token grants no widget surface', async () => {
    const scene = await aScene(api);
    const { token } = await aVisitor(api, scene);
    for (const path of [
      '/v2/partner/contacts',
      '/v2/ipaas/operations',
      '/v2/batch/operations',
      '/v2/meta/capabilities',
    ]) {
      const reply = await api.call('GET', path, asBearer(token));
      expect(verdict(reply)).toBe('401 token_kind_not_allowed');
      expect(reply.body.errors[0].meta.token_kind).toBe('widget_instance');
    }
    for (const [method, path] of [
      ['GET', journeyAt(scene.journey.id)],
      ['POST', '/v2/widget/bootstrap'],
    ] as const) {
      const reply = await scene.team.call(method, path);
      expect(verdict(reply)).toBe('401 token_kind_not_allowed');
    }
    const capabilities = await scene.team.get('/v2/meta/capabilities');
    expect(capabilities.body.surfaces).not.toContain('widget');
  });

  test('is distinguished from a partner token by its form, with any prefix', async () => {
    const scene = await aScene(api);
    const { token } = await aVisitor(api, scene);
    const jwt = token.slice('dow_'.length);
    const partner = scene.team.token;
    const widgetClaims = decodeJwt(jwt);
    const forged = [
      `dow_${partner}`,
      jwt,
      `dow_${await resign(api, scene.team, widgetClaims)}`,
      `dow_${await resign(api, scene.team, {}, { typ: 'widget+jwt' })}`,
      `dow_${jwt.slice(0, -4)}AAAA`,
      'dow_',
      'dow_a.b.c',
      `dow_${'A'.repeat(9_000)}`,
    ];
    for (const one of forged) {
      for (const path of [journeyAt(scene.journey.id), '/v2/partner/contacts']) {
        expect(verdict(await api.call('GET', path, asBearer(one)))).toBe('401 token_invalid');
      }
    }
    // The harness can make a good one.
    const good = await resign(api, scene.team, widgetClaims, { typ: 'widget+jwt' });
    const reply = await api.call('GET', journeyAt(scene.journey.id), asBearer(`dow_${good}`));
    expect(verdict(reply)).toBe('200');
    const late = { ...widgetClaims, iat: 1_700_000_000, exp: 1_700_003_600 };
    const expired = await resign(api, scene.team, late, { typ: 'widget+jwt' });
    const old = await api.call('GET', journeyAt(scene.journey.id), asBearer(`dow_${expired}`));
    expect(verdict(old)).toBe('401 token_expired');
  });

  test('is accepted from the origins of the widget only, or from the origin that it names', async () => {
    const other = 'https://other.example.com';
    const scene = await aScene(api, { widget: { allowed_origins: [bank, other] } });
    const contact_id = scene.journey.contactId;
    const loose = await aToken(scene.team, scene.widgetId, { contact_id });
    const strict = await aToken(scene.team, scene.widgetId, { contact_id, origin: bank });
    for (const [token, origin, says] of [
      [loose, bank, '201'],
      [loose, other, '201'],
      [loose, 'https://evil.example.com', '422 origin_not_allowed'],
      [loose, 'null', '422 origin_not_allowed'],
      [strict, bank, '201'],
      [strict, other, '422 origin_not_allowed'],
      [strict, 'http://onward.test', '201'],
    ] as const) {
      expect(verdict(await bootstrapByToken(api, token, { Origin: origin }))).toBe(says);
    }
  });

  test('that is revoked ends immediately with its session, and with no other', async () => {
    const scene = await aScene(api);
    const [first, second] = [await aVisitor(api, scene), await aVisitor(api, scene)];
    const path = `${widgetInstances}/${scene.widgetId}/tokens/revoke`;
    const stranger = await aScene(api);
    const foreign = `${widgetInstances}/${stranger.widgetId}/tokens/revoke`;
    expect((await stranger.team.post(foreign, { access_token: first.token })).status).toBe(204);
    expect(verdict(await first.call('GET', first.path))).toBe('200');

    expect((await scene.team.post(path, { access_token: first.token })).status).toBe(204);
    expect(verdict(await api.call('GET', first.path, asBearer(first.token)))).toBe(
      '401 token_invalid',
    );
    expect(verdict(await first.call('GET', first.path))).toBe('401 session_expired');
    expect(verdict(await second.call('GET', second.path))).toBe('200');

    expect((await scene.team.post(path)).status).toBe(204);
    expect(verdict(await second.call('GET', second.path))).toBe('401 session_expired');
    expect(verdict(await bootstrapByToken(api, second.token))).toBe('401 token_invalid');
    const fresh = await aVisitor(api, scene);
    expect(verdict(await fresh.call('GET', fresh.path))).toBe('200');
  });
});
