import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createAdmin } from '../../src/commands/admin/program.ts';
import { foundKinds, findRow } from '../../src/commands/admin/find/queries.ts';
import { viewsOf } from '../../src/commands/admin/workflows/views.ts';
import { aReader, aSendingTemplate, anEmail, deliveriesOf, enrolled } from '../journeys/a-send.ts';
import { aBatch, badItem, contactsOf, holdPlaces, whenRun } from '../operations/runs/a-run.ts';
import type { TestTeam } from '../support/api.ts';
import { environmentNames, required } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';
import { takePort } from '../support/ports.ts';
import { startReceiver } from '../support/receiver.ts';
import { detailsOf, useService } from '../support/use-service.ts';
import { runEntry } from './spawn.ts';
import { jobId } from '../../src/platform/jobs/shape.ts';
import { journeyJob, webhookRecoveryJob } from '../../workflows/jobs.ts';

// `npm run admin -- find <id>`: an operator without a token of the team finds out what happens next.

const { api, temporal } = useService({
  REQUEST_LOG: 'true',
  WEBHOOK_RETRY_SCHEDULE_SECONDS: '0,3600',
});
const uiUrl = 'https://temporal.example.com';
let team: TestTeam;

beforeAll(() => {
  process.env['DATABASE_OWNER_URL'] = api.db.ownerUrl;
  process.env['TEMPORAL_ADDRESS'] = required(environmentNames.temporalAddress);
  process.env['TEMPORAL_NAMESPACE'] = temporal.namespace;
  process.env['TEMPORAL_UI_URL'] = uiUrl;
});
beforeEach(async () => {
  team = await api.newTeam();
});

async function say(...words: string[]): Promise<string> {
  const lines: string[] = [];
  await createAdmin((line) => lines.push(line)).parseAsync(words, { from: 'user' });
  return lines.join('\n');
}
const ask = async (...words: string[]) => JSON.parse(await say(...words, '--json'));
const find = (id: string) => ask('find', id);

/** A contact whose journey waits for a message of the third day. */
async function aContactUnderWay() {
  const later = { ...anEmail, name: 'Third day', trigger: { kind: 'delay', delay: 'P3D' } };
  const template = await aSendingTemplate(team, [later]);
  const contactId = await aReader(team);
  const [journeyId = ''] = await enrolled(team, template, [contactId]);
  const path = `/v2/partner/journeys/${journeyId}`;
  await eventually(
    async () => (await team.get(path)).body,
    ({ next_action }) => next_action?.kind === 'message',
  );
  return { contactId, journeyId, templateId: template.id };
}

test('from the id of a contact an operator finds what it is sent next, and can watch it', async () => {
  const { contactId, journeyId, templateId } = await aContactUnderWay();
  const found = await find(contactId);
  expect(found).toMatchObject({
    ...{ what: 'contact', id: contactId, team: team.id, state: 'active' },
    journeys: [
      {
        ...{ id: journeyId, template: templateId, status: 'active', exit_reason: null },
        next: expect.stringMatching(
          /^The next step is due at .*Z: the email message `Third day` \(.*\), 3 days after/,
        ),
      },
    ],
  });
  expect(found.workflows).toEqual([
    expect.objectContaining({ id: expect.stringMatching(/^journey-lane\/[0-3]$/) }),
  ]);
  const text = await say('find', contactId);
  expect(text).toContain('Third day');
  expect(text).not.toMatch(/Ada|@example\.com/);

  const watched = await ask('journeys', 'watch', journeyId);
  expect(watched).toMatchObject({
    workflow: jobId(journeyJob, journeyId),
    url: `${uiUrl}/namespaces/${temporal.namespace}/workflows/journey%2F${journeyId}`,
  });
  await detailsOf(temporal.handleOf(jobId(journeyJob, journeyId)), 'Third day');
  const journey = await find(`journey/${journeyId}`);
  expect(journey.workflows[0]).toMatchObject({
    ...{ id: jobId(journeyJob, journeyId), status: 'running' },
    details: expect.stringContaining('Third day'),
  });
  expect(journey.next).toContain('Third day');
  expect(journey.commands[0]).toBe(`npm run admin -- journeys watch ${journeyId}`);
  const audited = await ask('audit', 'list', '--team', team.id);
  expect(audited[0]).toMatchObject({ action: 'journey.watched', resource_id: journeyId });
  expect(audited[0].actor).toMatch(/@/);
  expect(await ask('journeys', 'unwatch', journeyId)).toMatchObject({ was_watched: true });
  expect(await ask('journeys', 'unwatch', journeyId)).toMatchObject({ was_watched: false });
});

test('a batch names its failed items and its workflow, without their contents', async () => {
  const items = [...contactsOf([randomUUID()]), badItem('secret-key')];
  const path = await aBatch(team, { items });
  await whenRun(team, path);
  const id = String(path.split('/').at(-1));
  await temporal.handleOf(`batch/${id}`).result();
  const found = await find(id);
  expect(found).toMatchObject({
    ...{ what: 'operation run', team: team.id, state: 'succeeded_with_errors' },
    ...{ why: '1 validation_failed', next: 'Nothing: it has ended.', surface: 'batch' },
    failed_items: [{ index: 1, code: 'validation_failed', field: '/email' }],
  });
  expect(found.workflows).toMatchObject([
    { id: `batch/${id}`, status: 'completed', url: expect.stringContaining(`batch%2F${id}/`) },
  ]);
  const text = await say('find', id);
  expect(text).toContain('validation_failed  /email');
  expect(text).not.toContain('secret-key');
});

test('a webhook delivery says why it waits, when it is tried again, and by which workflow', async () => {
  const receiver = await startReceiver();
  try {
    receiver.answer(() => ({ status: 500 }));
    const { body } = await team.post('/v2/partner/webhook-subscriptions', {
      ...{ target_url: receiver.url, event_types: ['contact.created'] },
    });
    const subscriptionId = String(body.id);
    const workflowId = jobId(webhookRecoveryJob, subscriptionId);
    await team.post('/v2/partner/contacts', { unique_id: randomUUID() });
    await detailsOf(temporal.handleOf(workflowId), 'Next attempt due at');
    const deliveries = `/v2/partner/webhook-subscriptions/${subscriptionId}/deliveries`;
    const { body: listed } = await team.get(deliveries);
    const [delivery] = listed.data;
    const found = await find(String(delivery.id));
    expect(found).toMatchObject({
      ...{ what: 'webhook delivery', state: 'retrying', webhook_subscription: subscriptionId },
      next: `The recovery of its subscription makes the next attempt, at ${String(delivery.next_attempt_at)}.`,
      workflows: [{ id: workflowId, status: 'running' }],
    });
    expect(found.why).toContain('HTTP 500');
    const subscription = await find(subscriptionId);
    expect(subscription).toMatchObject({ state: 'failing', waiting: 1 });
    expect(subscription.commands[0]).toContain('--name retryNow');
    expect(subscription.query).toBe(`SubscriptionId="${subscriptionId}"`);
  } finally {
    await receiver.stop();
  }
});

test('a message that was not sent says which rule kept it', async () => {
  const template = await aSendingTemplate(team, [anEmail]);
  const contactId = await aReader(team, { consents: {} });
  await enrolled(team, template, [contactId]);
  const [delivery] = await eventually(
    () => deliveriesOf(team, template.id),
    ([first]) => first?.status === 'skipped',
  );
  expect(await find(String(delivery.id))).toMatchObject({
    ...{ what: 'message delivery', state: 'skipped', why: 'no_consent' },
    ...{ next: 'Nothing: it was not sent (no_consent).', contact: contactId },
  });
});

test('a request is found by its id, and an unknown id says so with exit code 1', async () => {
  const requestId = `mine-${randomUUID()}`;
  await team.post('/v2/partner/contacts', { first_name: 7 }, { 'X-Request-Id': requestId });
  const request = await eventually(
    () => find(requestId).catch(() => undefined),
    (found) => found !== undefined,
  );
  expect(request).toMatchObject({
    ...{ what: 'request', team_id: team.id, status: 422, operation: 'createContact' },
  });
  const unknown = randomUUID();
  const { code, stdout, stderr } = await runEntry('src/commands/admin.ts', ['find', unknown], {
    DATABASE_OWNER_URL: api.db.ownerUrl,
  });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(`No team has a row with the id ${unknown}.`);
});

test('a batch that waits says how many runs of its team come first', async () => {
  await holdPlaces(team);
  const path = await aBatch(team, { items: contactsOf([randomUUID()]) });
  const found = await find(String(path.split('/').at(-1)));
  expect(found).toMatchObject({
    ...{ state: 'queued', ahead: 5 },
    next: 'It waits for its turn among the runs of its team (`ahead`).',
  });
});

test('a run without a worker says so, and since when nobody has touched it', async () => {
  const [id = ''] = await holdPlaces(team);
  const handle = await temporal.client.workflow.start('runOperation', {
    workflowId: `batch/${id}`,
    taskQueue: 'nobody-polls',
    args: [{ teamId: team.id, id }],
  });
  const found = await find(id);
  expect(found).toMatchObject({
    ...{ state: 'running', touched_at: expect.any(String) },
    workflows: [{ status: 'running', details: expect.stringContaining('no worker answers') }],
  });
  await handle.terminate();
});

test('without Temporal the row is explained, and the answer says that Temporal is away', async () => {
  const template = await aSendingTemplate(team, [anEmail]);
  process.env['TEMPORAL_ADDRESS'] = `127.0.0.1:${String(await takePort())}`;
  try {
    const found = await find(template.id);
    expect(found).toMatchObject({
      ...{ what: 'template', state: 'launched', query: `TemplateId="${template.id}"` },
      temporal: expect.stringMatching(/^away: /),
      workflows: [{ id: `template/${template.id}`, status: 'unknown' }],
    });
  } finally {
    process.env['TEMPORAL_ADDRESS'] = required(environmentNames.temporalAddress);
  }
});

test('the statement of every kind runs on the schema', async () => {
  for (const kind of foundKinds) {
    expect(await api.db.database.read((sql) => findRow(sql, kind, randomUUID()))).toBeUndefined();
  }
});

test('the page for the night has the query of every view', () => {
  const page = readFileSync('docs/night.md', 'utf8');
  for (const { name, query } of viewsOf()) {
    expect(page.replaceAll(/ +/g, ' ')).toContain(`| ${name} | \`${query}\` |`);
  }
});

test('Temporal accepts the query of every view, for all teams and for one', async () => {
  for (const { query } of [...viewsOf(), ...viewsOf(team.id)]) {
    const { count } = await temporal.client.workflow.count(query);
    expect(count).toBeGreaterThanOrEqual(0);
  }
  const views = await ask('workflows', 'views', '--team', team.id);
  const start = `${uiUrl}/namespaces/${temporal.namespace}/workflows?query=`;
  expect(views[0].url.startsWith(start)).toBe(true);
  expect(decodeURIComponent(views[0].url)).toContain(`TeamId="${team.id}"`);
});
