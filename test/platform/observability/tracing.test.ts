import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { signStandardWebhook } from '../../../src/inbound/signatures/standard-webhooks.ts';
import { aReceiver, anEvent } from '../../inbound/a-receiver.ts';
import type { TestTeam } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { startReceiver } from '../../support/receiver.ts';
import type { Received, Receiver } from '../../support/receiver.ts';
import { startProcesses } from './a-traced-service.ts';
import type { ServiceProcesses } from './a-traced-service.ts';
import { startCollector } from './collector.ts';
import type { CollectedSpan, Collector } from './collector.ts';

let collector: Collector;
let receiver: Receiver;
let service: ServiceProcesses;
let team: TestTeam;

beforeAll(async () => {
  [collector, receiver] = await Promise.all([startCollector(), startReceiver()]);
  service = await startProcesses({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20key,x-other=2',
  });
  team = await service.api.newTeam();
  const subscribed = await post('/v2/partner/webhook-subscriptions', {
    target_url: receiver.url,
    event_types: ['contact.created', 'contact.updated', 'objective.completed'],
  });
  expect([subscribed.status, subscribed.body.errors]).toEqual([201, undefined]);
});
afterAll(async () => {
  await service.stop();
  await Promise.all([collector.stop(), receiver.stop()]);
});

async function send(
  method: string,
  path: string,
  body: object,
  headers: Record<string, string> = {},
) {
  const reply = await fetch(`${service.url}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${team.token}`,
      'Content-Type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(body),
  });
  const answer: any = await reply.json();
  const requestId = reply.headers.get('X-Request-Id') ?? '';
  return { status: reply.status, body: answer, requestId };
}
const post = (path: string, body: object, headers?: Record<string, string>) =>
  send('POST', path, body, headers);

/** The delivery about the resource with this id. */
async function deliveryOf(id: string): Promise<Received> {
  const [received] = await eventually(
    async () => receiver.received.filter(({ event }) => event.data.id === id),
    ({ length }) => length > 0,
  );
  if (!received) throw new Error('the condition above is wrong');
  return received;
}

const namesOf = (spans: readonly CollectedSpan[]) => spans.map(({ name }) => name).sort();
const byName = (spans: readonly CollectedSpan[], name: string) => {
  const found = spans.find((span) => span.name === name);
  if (!found) throw new Error(`no span ${name} among ${namesOf(spans).join(', ')}`);
  return found;
};
const postContact = 'POST /v2/partner/contacts';

test('one trace has the request, its event and the webhook attempt', async () => {
  const { status, body, requestId } = await post('/v2/partner/contacts', {
    email: 'ada.traced@example.com',
    first_name: 'Adatraced',
  });
  expect(status).toBe(201);
  const { headers } = await deliveryOf(body.id);
  const { traceId, spanId } = await collector.request(requestId);
  const spans = await collector.trace(traceId, [postContact, 'webhook attempt']);

  const request = byName(spans, postContact);
  expect(request).toMatchObject({ service: 'onward-api', parentId: '', kind: 2, isError: false });
  expect(request.attributes).toMatchObject({
    'http.request.method': 'POST',
    'http.route': '/v2/partner/contacts',
    'http.response.status_code': 201,
    'onward.operation': 'createContact',
    'onward.team_id': team.id,
    'onward.client_id': team.clientId,
  });
  const stored = await service.api.db.look(
    (sql) =>
      sql`select traceparent from webhook_events where id = ${String(headers['webhook-id'])}`,
  );
  expect(stored).toEqual([{ traceparent: `00-${traceId}-${spanId}-01` }]);

  expect(byName(spans, 'database transaction')).toMatchObject({ parentId: spanId });
  const attempt = byName(spans, 'webhook attempt');
  expect(attempt).toMatchObject({ service: 'onward-worker', parentId: spanId, kind: 3 });
  expect(attempt.attributes).toMatchObject({
    'http.response.status_code': 204,
    'onward.webhook.event_id': headers['webhook-id'],
    'onward.webhook.event_type': 'contact.created',
    'onward.webhook.attempt': 1,
    'temporal.workflow.id': expect.stringMatching(/^webhook-lane\/\d+$/),
    'temporal.workflow.run_id': expect.stringMatching(/^[\w-]{36}$/),
  });
  expect(headers['traceparent']).toBe(`00-${traceId}-${attempt.spanId}-01`);
  expect(headers['tracestate']).toBeUndefined();
});

test('one trace has the request, the outbox, the workflow and its activities', async () => {
  const { status, body, requestId } = await post(
    '/v2/batch/operations',
    { operation_kind: 'contacts.bulk_upsert', items: [{ unique_id: 'traced-item' }] },
    { 'Idempotency-Key': 'traced' },
  );
  expect([status, body.errors]).toEqual([202, undefined]);
  const { traceId, spanId } = await collector.request(requestId);
  const workflow = 'workflow runOperation';
  const spans = await collector.trace(traceId, [workflow, 'webhook attempt']);

  const signal = byName(spans, 'signal runOperation');
  expect(signal).toMatchObject({ service: 'onward-worker', parentId: spanId, kind: 4 });
  const run = byName(spans, workflow);
  expect(run).toMatchObject({ parentId: signal.spanId, isError: false });
  const ids = {
    'temporal.workflow.id': `batch/${String(body.id)}`,
    'temporal.workflow.run_id': signal.attributes['temporal.workflow.run_id'],
  };
  expect(ids['temporal.workflow.run_id']).toMatch(/^[\w-]{36}$/);
  expect(signal.attributes).toMatchObject(ids);
  expect(run.attributes).toMatchObject(ids);
  const activities = spans.filter(({ name }) => name.startsWith('activity '));
  expect(activities.length).toBeGreaterThan(0);
  for (const activity of activities) {
    expect(activity).toMatchObject({ parentId: run.spanId, isError: false });
    expect(activity.attributes).toMatchObject(ids);
  }
  // The event that the activity has recorded belongs to it.
  const attempt = byName(spans, 'webhook attempt');
  expect(activities.map((activity) => activity.spanId)).toContain(attempt.parentId);
});

test('activities belong to the request that has signaled their workflow last', async () => {
  const path = '/v2/partner/templates';
  const objective = await post('/v2/partner/objectives', { name: 'Traced', key: 'traced' });
  const made = await post(path, { name: 'Traced', objective_ids: [objective.body.id] });
  const template = `${path}/${String(made.body.id)}`;
  await post(`${template}/messages`, {
    ...{ name: 'Later', channel: 'email', from_email: 'hello@bank.example', subject: 'Hello' },
    ...{ body_html: '<p>Hello</p>', trigger: { kind: 'delay', delay: 'P30D' } },
  });
  const traceOf = async (action: string, names: readonly string[]) => {
    const { status, requestId } = await post(`${template}/${action}`, {});
    expect(status).toBe(200);
    const { traceId } = await collector.request(requestId);
    return collector.trace(traceId, ['signal runTemplate', ...names]);
  };
  const advance = 'activity runTemplateRound';
  const launched = await traceOf('launch', [advance]);
  const expired = await traceOf('expire', [advance]);
  expect(byName(expired, advance).parentId).toBe(byName(expired, 'signal runTemplate').spanId);

  // The run ends with the template, in the trace of the request that started it.
  const workflow = 'workflow runTemplate';
  const [{ traceId } = byName(launched, advance)] = launched;
  const whole = await collector.trace(traceId, [workflow]);
  expect(byName(whole, workflow).parentId).toBe(byName(whole, 'signal runTemplate').spanId);
  expect(byName(launched, advance).parentId).toBe(byName(whole, workflow).spanId);
});

test('callbacks that share a transaction and the webhooks about them have traces of their own', async () => {
  const callbacks = await aReceiver(service.api, team);
  const names = [...Array(20).keys()].map((at) => `callback-${String(at)}`);
  const contacts = await Promise.all(
    names.map((unique_id) => post('/v2/partner/contacts', { unique_id })),
  );
  const objective = { name: 'Deposit', key: 'deposit', is_repeatable: true };
  expect((await post('/v2/partner/objectives', objective)).status).toBe(201);
  const answers = await Promise.all(
    names.map(async (contact_unique_id) => {
      const raw = JSON.stringify(anEvent({ objective_key: 'deposit', contact_unique_id }));
      const signed = signStandardWebhook(callbacks.secret, `msg_${randomUUID()}`, Date.now(), raw);
      return send('POST', callbacks.path, JSON.parse(raw), signed);
    }),
  );
  for (const [at, { status, requestId }] of answers.entries()) {
    expect(status).toBe(200);
    const { traceId, spanId } = await collector.request(requestId);
    const attempt = byName(await collector.trace(traceId, ['webhook attempt']), 'webhook attempt');
    expect(attempt.parentId).toBe(spanId);
    const [received] = receiver.received.filter(
      ({ headers }) => headers['webhook-id'] === attempt.attributes['onward.webhook.event_id'],
    );
    expect(received?.event).toMatchObject({
      type: 'objective.completed',
      data: { contact_id: contacts[at]?.body.id },
    });
  }
});

test('requests that share a transaction have traces of their own', async () => {
  const emails = [...Array(40).keys()].map((at) => `together-${String(at)}@example.com`);
  const replies = await Promise.all(emails.map((email) => post('/v2/partner/contacts', { email })));
  const changed = await Promise.all(
    replies.map(({ body }) =>
      send('PATCH', `/v2/partner/contacts/${String(body.id)}`, { first_name: 'Changed' }),
    ),
  );
  const traces = new Set<string>();
  for (const { status, body, requestId } of [...replies, ...changed]) {
    expect([200, 201]).toContain(status);
    const { traceId, spanId } = await collector.request(requestId);
    traces.add(traceId);
    const type = status === 201 ? 'contact.created' : 'contact.updated';
    const spans = await collector.trace(traceId, ['webhook attempt']);
    const attempt = byName(spans, 'webhook attempt');
    expect([attempt.parentId, attempt.attributes['onward.webhook.event_type']]).toEqual([
      spanId,
      type,
    ]);
    const [received] = receiver.received.filter(
      ({ headers }) => headers['webhook-id'] === attempt.attributes['onward.webhook.event_id'],
    );
    expect(received?.event.data.id).toBe(body.id);
  }
  expect(traces.size).toBe(80);
  const shared = await service.api.db.look<{ count: number }>(
    (sql) => sql`select count(distinct xmin::text)::int as count from webhook_events
      where type = 'contact.created' and body like '%together-%'`,
  );
  expect(shared[0]?.count).toBeLessThan(40);
  const sizes = collector.spans.map(({ attributes }) => attributes['onward.transaction.calls']);
  expect(sizes.some((size) => Number(size) > 1)).toBe(true);
});

test('a caller decides neither the trace nor whether it is sampled', async () => {
  const theirs = {
    traceId: randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
  };
  for (const flags of ['01', '00']) {
    const { requestId } = await post(
      '/v2/partner/contacts',
      { unique_id: `flags-${flags}` },
      {
        traceparent: `00-${theirs.traceId}-${theirs.spanId}-${flags}`,
        tracestate: `vendor=${'x'.repeat(2_000)}`,
      },
    );
    const span = await collector.request(requestId);
    expect(span.traceId).not.toBe(theirs.traceId);
    expect(span).toMatchObject({ parentId: '', traceState: '', links: [theirs] });
  }
});

test.each([
  ['an id of zeros', `00-${'0'.repeat(32)}-${'a'.repeat(16)}-01`],
  ['a parent of zeros', `00-${'a'.repeat(32)}-${'0'.repeat(16)}-01`],
  ['the forbidden version', `ff-${'a'.repeat(32)}-${'a'.repeat(16)}-01`],
  ['capitals', `00-${'A'.repeat(32)}-${'a'.repeat(16)}-01`],
  [
    'two contexts',
    `00-${'a'.repeat(32)}-${'a'.repeat(16)}-01, 00-${'b'.repeat(32)}-${'b'.repeat(16)}-01`,
  ],
  ['a long text', `00-${'a'.repeat(8_000)}`],
  ['SQL', "'; drop table contacts; --"],
])('a malformed traceparent is ignored: %s', async (_, traceparent) => {
  const body = { unique_id: randomUUID() };
  const { status, requestId } = await post('/v2/partner/contacts', body, { traceparent });
  expect(status).toBe(201);
  expect(await collector.request(requestId)).toMatchObject({ parentId: '', links: [] });
});

test('a refusal has its code, and is no error of the service', async () => {
  const { status, requestId } = await post('/v2/partner/contacts?secret=in-a-query', {
    email: 'no-address-in-a-trace',
  });
  expect(status).toBeGreaterThanOrEqual(400);
  const { isError, attributes } = await collector.request(requestId);
  expect(isError).toBe(false);
  expect(attributes['http.response.status_code']).toBe(status);
  expect(attributes['error.type']).toMatch(/^[a-z_]+$/);
});

test('log lines of a request name its trace', async () => {
  const { requestId } = await post('/v2/partner/contacts', {});
  const { traceId, spanId } = await collector.request(requestId);
  const line = service
    .lines()
    .find(({ request_id, msg }) => msg === 'request' && request_id === requestId);
  expect(line).toMatchObject({ trace_id: traceId, span_id: spanId });
});

test('exports have the headers of the settings, and no name, address, query or token', async () => {
  await collector.trace(
    (await collector.request((await post('/v2/partner/contacts', {})).requestId)).traceId,
    [],
  );
  expect(collector.headers()).toMatchObject({ 'x-key': 'a key', 'x-other': '2' });
  expect(collector.spans.length).toBeGreaterThan(80);
  for (const secret of [
    ...['ada.traced', 'Adatraced', 'together-', 'in-a-query', 'no-address-in-a-trace'],
    ...['127.0.0.1', '/hook', 'traced-item', team.token.slice(0, 20), 'Bearer'],
  ]) {
    expect(collector.text()).not.toContain(secret);
  }
});
