import { expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { Reply } from '../support/api.ts';

const path = '/v2/partner/team';

const api = useTestApi();

const problemOf = (reply: Reply) => {
  const [{ code, meta }] = reply.body.errors;
  return [reply.status, code, meta.pointer, meta.rule];
};

test('a new team has quiet hours from nine to eight, and caps of two a day and five a week', async () => {
  const team = await api.newTeam({ tier: 'plus' });
  const reply = await team.get(path);
  expect(reply.body).toEqual({
    id: team.id,
    type: 'team',
    team_id: team.id,
    name: 'Test',
    tier: 'plus',
    timezone: 'UTC',
    locale: 'en-US',
    currency: 'USD',
    requires_provider_release: false,
    sms_allowed_prefixes: [],
    quiet_hours: { start: '21:00', end: '08:00' },
    frequency_cap: { per_day: 2, per_week: 5 },
    is_in_benchmarks: true,
    inserted_at: expect.any(String),
    updated_at: expect.any(String),
  });
});

test('settings are changed one by one, cleared by null, and never another team’s', async () => {
  const [team, other] = [await api.newTeam(), await api.newTeam()];
  const changed = await team.patch(path, {
    timezone: 'Europe/Berlin',
    currency: 'EUR',
    quiet_hours: { end: '07:30', start: '20:00' },
    frequency_cap: null,
    tier: 'enterprise',
    id: other.id,
  });
  expect(changed.status).toBe(200);
  expect(changed.body).toMatchObject({
    id: team.id,
    tier: 'unlimited',
    timezone: 'Europe/Berlin',
    quiet_hours: { start: '20:00', end: '07:30' },
  });
  expect(changed.body).not.toHaveProperty('frequency_cap');
  const same = await team.patch(path, changed.body);
  expect(same.headers.get('etag')).toBe(changed.headers.get('etag'));
  expect((await team.patch(path, { name: 'x' }, { 'If-Match': '"1"' })).status).toBe(412);
  expect((await other.get(path)).body.timezone).toBe('UTC');
  const { data } = (await team.get('/v2/partner/audit-events')).body;
  expect(data).toMatchObject([
    {
      action: 'team.updated',
      resource_id: team.id,
      changed_fields: ['currency', 'frequency_cap', 'quiet_hours', 'timezone'],
    },
  ]);
});

test.each([
  [{ currency: 'XYZ' }, '/currency', 'format'],
  [{ timezone: '+02:00' }, '/timezone', 'format'],
  [{ locale: 'not a locale' }, '/locale', 'format'],
  [{ quiet_hours: { start: '24:00', end: '08:00' } }, '/quiet_hours/start', 'pattern'],
  [{ quiet_hours: { start: '08:00', end: '08:00' } }, '/quiet_hours/end', 'date_order'],
  [{ frequency_cap: { per_day: 0, per_week: 5 } }, '/frequency_cap/per_day', 'min'],
  [{ domains: ['bank.example'] }, '/domains', 'unknown_field'],
  [{ name: null }, '/name', 'type'],
])('%j is refused', async (body, pointer, rule) => {
  const refused = await (await api.newTeam()).patch(path, body);
  expect(problemOf(refused)).toEqual([422, 'validation_failed', pointer, rule]);
});
