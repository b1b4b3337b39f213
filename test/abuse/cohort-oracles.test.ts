import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { Reply, TestTeam } from '../support/api.ts';

const api = useTestApi();
let team: TestTeam;
beforeEach(async () => {
  team = await api.newTeam();
});

const path = '/v2/partner/cohorts';
const id = randomUUID();
const contacts = 'partner:contacts:read';
/** A rule of each kind that asks about data, and the scope that reads this data. */
const oracles: [string, object, string][] = [
  ['a contact', { field: 'contact.phone', op: 'starts_with', value: '+1415' }, contacts],
  ['its consent', { consent: { channel: 'email', status: 'subscribed' } }, contacts],
  ['its accounts', { account: { where: [{ field: 'name', op: 'eq', value: 'x' }] } }, contacts],
  ['its objectives', { objective: { key: 'direct-deposit' } }, 'partner:objectives:read'],
  ['its events', { event: { kind: 'message.opened' } }, 'partner:engagement:read'],
  ['its journeys', { journey: { template_id: id } }, 'partner:journeys:read'],
  ['its cohorts', { cohort: { id } }, 'partner:cohorts:read'],
];
const guesser = () =>
  team.withScopes(
    ...['partner:cohorts:execute', 'partner:cohorts:write', 'partner:messages:write'],
    'ipaas:operations:execute',
  );
const refusal = ({ status, body }: Reply) => [
  status,
  body.errors?.[0].code,
  body.errors?.[0].meta.required_scope,
];
const anyone = { random: { percent: 100 } };
/** A rule hidden among rules without a scope. */
const hidden = (rule: object) => ({
  op: 'all',
  rules: [anyone, { op: 'none', rules: [anyone, rule] }],
});

describe.each(oracles)('a rule about %s', (_, rule, scope) => {
  const expected = [401, 'scope_missing', scope];

  test('is not previewed for a client that may not read its data', async () => {
    const client = await guesser();
    for (const definition of [rule, hidden(rule)]) {
      expect(refusal(await client.post(`${path}/preview`, { definition }))).toEqual(expected);
      for (const body of [{ input: { definition } }, { items: [{ definition }] }]) {
        const execute = '/v2/ipaas/operations/cohorts.preview/execute';
        expect(refusal(await client.post(execute, body))).toEqual(expected);
      }
    }
  });

  test('is refused in a cohort or a condition of such a client', async () => {
    const client = await guesser();
    const named = { name: 'guess', kind: 'dynamic' };
    expect(refusal(await client.post(path, { ...named, definition: rule }))).toEqual(expected);
    const harmless = await client.post(path, { ...named, definition: anyone });
    expect(harmless.status).toBe(201);
    const at = `${path}/${String(harmless.body.id)}`;
    expect(refusal(await client.patch(at, { definition: hidden(rule) }))).toEqual(expected);
    expect((await client.patch(at, { ...harmless.body, name: 'renamed' })).status).toBe(204);

    const template = await team.post('/v2/partner/templates', { name: 'Welcome' });
    const messages = `/v2/partner/templates/${String(template.body.id)}/messages`;
    const message = {
      name: 'Hello',
      channel: 'sms',
      body: 'Hello',
      trigger: { kind: 'on_enroll' },
    };
    const made = await client.post(messages, message);
    expect(made.status).toBe(201);
    const condition = hidden(rule);
    expect(refusal(await client.post(messages, { ...message, condition }))).toEqual(expected);
    const changed = await client.patch(`/v2/partner/messages/${String(made.body.id)}`, {
      condition,
    });
    expect(refusal(changed)).toEqual(expected);
  });
});

test('a client with the read scope of a rule receives its preview', async () => {
  const unique_id = randomUUID();
  await team.post('/v2/partner/contacts', { unique_id });
  const client = await team.withScopes('partner:cohorts:execute', contacts);
  const definition = { field: 'contact.unique_id', op: 'eq', value: unique_id };
  const { status, body } = await client.post(`${path}/preview`, { definition });
  expect([status, body.count]).toEqual([200, 1]);
});

test('an explanation shows nothing about a contact to a client that may not read contacts', async () => {
  const contact = await team.post('/v2/partner/contacts', { unique_id: randomUUID() });
  const definition = { field: 'contact.phone', op: 'present' };
  const cohort = await team.post(path, { name: 'With a phone', kind: 'dynamic', definition });
  const at = `${path}/${String(cohort.body.id)}/members/${String(contact.body.id)}/explain`;
  const reader = await team.withScopes('partner:cohorts:read');
  expect(refusal(await reader.get(at))).toEqual([401, 'scope_missing', contacts]);
  expect((await team.get(at)).body.leaves).toEqual([{ pointer: '/definition', holds: false }]);
});

test('the stored result of a preview is shown only to clients that may read its data', async () => {
  const definition = { field: 'contact.phone', op: 'present' };
  const asked = await team.call('POST', '/v2/ipaas/operations/cohorts.preview/execute', {
    headers: { Prefer: 'respond-async' },
    body: { input: { definition } },
  });
  expect(asked.status).toBe(202);
  const reader = await team.withScopes('ipaas:operations:read', 'partner:cohorts:execute');
  const items = `${String(asked.headers.get('location'))}/items`;
  expect(refusal(await reader.get(items))).toEqual([401, 'scope_missing', contacts]);
});
