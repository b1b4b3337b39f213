import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { endpoints } from '../../src/app/endpoints.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { verdictOf } from './answers.ts';
import { expectTable, objectiveCompletionsCounts, user } from './document-tables.ts';

/** The operations of the interface document with their paths, scopes and answers. */
const given = `
updateWebhookSubscription      PATCH /v2/partner/webhook-subscriptions/{id}       partner:webhooks:write      200
createUser                     POST  /v2/partner/users                            partner:users:write         201
createContactAccount           POST  /v2/partner/contacts/{id}/accounts           partner:contacts:write      201
getAccount                     GET   /v2/partner/accounts/{id}                    partner:contacts:read       200
unarchiveTemplate              POST  /v2/partner/templates/{id}/unarchive         partner:templates:write     200
publishLandingPage             POST  /v2/partner/landing-pages/{id}/publish       partner:landing_pages:write 200
createSftpCredentials          POST  /v2/partner/sftp-credentials                 partner:sftp:write          201
getTemplateStatusRollup        GET   /v2/partner/templates/counts                 partner:templates:read      200
listTemplateMessages           GET   /v2/partner/templates/{id}/messages          partner:messages:read       200
listTemplateEngagementEvents   GET   /v2/partner/templates/{id}/engagement-events partner:engagement:read     200
getObjectiveCompletionsCounts  GET   /v2/partner/objectives/completions/counts    partner:objectives:read     200
`;
const rows = given
  .trim()
  .split('\n')
  .map((line) => line.split(/ +/));

const api = useTestApi();
let team: TestTeam;

beforeAll(async () => {
  team = await api.newTeam();
});

const write = (path: string, body: unknown) =>
  team.call('POST', path, { body, headers: { 'Idempotency-Key': randomUUID() } });

test.each(rows)('%s is %s %s with the scope %s and answers %s', (id, ...facts) => {
  const found = endpoints.find((endpoint) => endpoint.id === id);
  expect([found?.method, found?.path, found?.scope, String(found?.status)]).toEqual(facts);
});

describe('createUser', () => {
  test('accepts the full resource and answers an invited user', async () => {
    const sent = {
      id: randomUUID(),
      type: 'user',
      team_id: randomUUID(),
      email: `ada-${randomUUID()}@example.com`,
      name: 'Ada',
      role: 'editor',
      status: 'active',
      inserted_at: '2001-01-01T00:00:00Z',
      updated_at: '2001-01-01T00:00:00Z',
      last_signed_in_at: '2001-01-01T00:00:00Z',
    };
    const made = await write('/v2/partner/users', sent);
    expect(verdictOf(made)).toBe('201');
    expectTable(made.body, user);
    const { email, name, role } = sent;
    expect(made.body).toMatchObject({ email, name, role, team_id: team.id, status: 'invited' });
    expect(made.body).not.toHaveProperty('last_signed_in_at');
    const active = await team.post(`/v2/partner/users/${String(made.body.id)}/activate`);
    expectTable(active.body, user);
    expect(active.body).toMatchObject({ status: 'active', last_signed_in_at: expect.any(String) });
  });

  test.each(['admin', 'editor', 'viewer'])('accepts the role %s without a name', async (role) => {
    const made = await write('/v2/partner/users', { email: `${randomUUID()}@example.com`, role });
    expect(verdictOf(made)).toBe('201');
    expectTable(made.body, user);
    expect(made.body).not.toHaveProperty('name');
  });
});

test('createSftpCredentials answers 201 with the connection data of a client', async () => {
  const made = await write('/v2/partner/sftp-credentials', {
    name: 'Nightly files',
    generate_key_pair: true,
  });
  expect(verdictOf(made)).toBe('201');
  expect(made.body).toMatchObject({
    type: 'sftp_credential',
    team_id: team.id,
    host: expect.any(String),
    port: expect.any(Number),
    username: expect.any(String),
    private_key: expect.stringContaining('PRIVATE KEY'),
  });
  const read = await team.get(`/v2/partner/sftp-credentials/${String(made.body.id)}`);
  expect(read.body).not.toHaveProperty('private_key');
});

test('listTemplateEngagementEvents answers the events of one template, newest first', async () => {
  const template = await team.post('/v2/partner/templates', { name: 'Welcome' });
  const other = await team.post('/v2/partner/templates', { name: 'Other' });
  const report = (template_id: unknown, occurred_at: string) => ({
    kind: 'custom',
    template_id,
    occurred_at,
  });
  const reported = await team.post('/v2/partner/engagement-events', {
    events: [
      report(template.body.id, '2026-10-01T08:00:00Z'),
      report(template.body.id, '2026-10-02T08:00:00Z'),
      report(other.body.id, '2026-10-03T08:00:00Z'),
    ],
  });
  expect(reported.status).toBeLessThan(300);
  const path = `/v2/partner/templates/${String(template.body.id)}/engagement-events`;
  const reply = await team.get(path);
  expect(verdictOf(reply)).toBe('200');
  expect(Object.keys(reply.body).sort()).toEqual(['data', 'page']);
  expect(reply.body.data).toMatchObject([
    { type: 'engagement_event', occurred_at: '2026-10-02T08:00:00.000Z' },
    { type: 'engagement_event', occurred_at: '2026-10-01T08:00:00.000Z' },
  ]);
  expect((await team.get(`${path}?meta=count`)).body.meta).toEqual({ count: 2 });
});

test('getObjectiveCompletionsCounts needs no parameters, and its counts add up', async () => {
  const owner = await api.newTeam();
  const objective = await owner.post('/v2/partner/objectives', {
    name: 'Card',
    key: `card-${randomUUID()}`,
    value_cents: 250,
  });
  for (const unique_id of ['one', 'two']) {
    const contact = await owner.post('/v2/partner/contacts', { unique_id });
    const path = `/v2/partner/objectives/${String(objective.body.id)}/completions`;
    const completed = await owner.post(path, { contact_id: contact.body.id });
    expect(verdictOf(completed)).toBe('201');
  }
  const reply = await owner.get('/v2/partner/objectives/completions/counts');
  expect(verdictOf(reply)).toBe('200');
  expectTable(reply.body, objectiveCompletionsCounts);
  expect(reply.body).toMatchObject({
    team_id: owner.id,
    total_completions: 2,
    total_value_cents: 500,
  });
  const { window, by_objective, computed_at } = reply.body;
  expect(window.start < window.end && window.end >= computed_at.slice(0, 10)).toBe(true);
  const sum = (field: string) =>
    by_objective.reduce(
      (total: number, row: Record<string, number>) => total + (row[field] ?? 0),
      0,
    );
  expect(sum('completions')).toBe(2);
  expect(sum('value_cents')).toBe(500);
});
