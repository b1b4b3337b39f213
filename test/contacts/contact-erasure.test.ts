import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { insertMailboxMessages } from '../../src/messaging/dev-mailbox/queries.ts';
import { anObjective } from '../campaigns/a-template.ts';
import { aTemplateWithPages, enrolled } from '../journeys/a-journey.ts';
import { aReceiver } from '../inbound/a-receiver.ts';
import { whenRun } from '../operations/runs/a-run.ts';
import { connect, newCredential } from '../operations/sftp/a-client.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { environmentNames, required } from '../support/environment.ts';
import { eventually, untilTrue } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { startTestWorker } from '../support/worker.ts';
import type { TestWorker } from '../support/worker.ts';
import { foundInSealed, foundInTables, foundInTemporal } from '../world/personal-data.ts';
import type { Look } from '../world/personal-data.ts';
import { aField, aFormPage, openForm, sendForm } from '../widget/a-form.ts';
import { aToken, aWidget, bootstrapByToken, visitorOf } from '../widget/a-widget.ts';

let api: TestApi;
let worker: TestWorker;
let receiver: Receiver;

beforeAll(async () => {
  api = await startTestApi({ BATCH_CPU_SHARE: '1', REQUEST_LOG: 'true' });
  worker = await startTestWorker(api, { sftpPort: 0 });
  receiver = await startReceiver();
});
afterAll(async () => {
  await worker.close();
  await api.stop();
  await receiver.stop();
});

async function make(team: TestTeam, at: string, body?: object): Promise<Record<string, any>> {
  const reply = await team.post(at, body, { 'Idempotency-Key': randomUUID() });
  if (reply.status >= 300) throw new Error(`POST ${at}: ${JSON.stringify(reply.body)}`);
  return reply.body;
}

interface Person {
  id: string;
  accountId: string;
  values: string[];
}

/** A person with data in every table and file. */
async function somebody(team: TestTeam): Promise<Person> {
  const tag = randomUUID().slice(0, 8);
  const email = `Ada.${tag}@example.com`;
  const phone = `+1415${String(Math.floor(Math.random() * 9_000_000) + 1_000_000)}`;
  const unique_id = `customer-${tag}`;
  const older = `old-${tag}`;
  const names = {
    first_name: `Augusta${tag}`,
    last_name: `King${tag}`,
    attributes: { nickname: `Enchantress${tag}` },
  };
  const values = [email, phone, unique_id, older, names.first_name, names.last_name];
  values.push(names.attributes.nickname, `Account${tag}`, `evidence${tag}`, `page${tag}`);

  const subscription = await make(team, '/v2/partner/webhook-subscriptions', {
    target_url: receiver.url,
    event_types: ['*'],
    is_active: true,
  });
  receiver.answer(({ body }, at) =>
    at % 2 === 0 ? { status: 200, body } : { status: 500, body: `No: ${body}` },
  );
  const contact = await make(team, '/v2/partner/contacts', {
    ...{ unique_id, email, phone, ...names, date_of_birth: '1815-12-10', postal_code: '90210' },
  });
  const id = String(contact['id']);
  const loser = await make(team, '/v2/partner/contacts', { unique_id: older, ...names });
  await make(team, `/v2/partner/contacts/${id}/merge`, { source_contact_id: loser['id'] });
  await team.patch(`/v2/partner/contacts/${id}`, { preferred_name: names.first_name });
  await team.call('PUT', `/v2/partner/contacts/${id}/consents/email`, {
    body: { status: 'subscribed', source: 'branch', evidence: `evidence${tag}` },
  });
  const account = await make(team, `/v2/partner/contacts/${id}/accounts`, {
    kind: 'loan',
    name: `Account${tag}`,
    unique_id: `A-${unique_id}`,
  });
  await make(team, `/v2/partner/contacts/${id}/devices`, { token: randomUUID(), platform: 'ios' });
  await make(team, '/v2/partner/suppressions', { channel: 'email', address: email });
  await make(team, '/v2/partner/suppressions', { channel: 'all', contact_id: id, note: email });
  await make(team, '/v2/partner/engagement-events', {
    events: [
      {
        kind: 'custom',
        contact_id: id,
        unique_id: `event-${email}`,
        url: `https://example.com/page${tag}`,
        properties: { email },
      },
    ],
  });
  const completion = await make(
    team,
    `/v2/partner/objectives/${await anObjective(team)}/completions`,
    { contact_id: id, unique_id: `done-${email}`, account_id: account['id'] },
  );
  await make(team, `/v2/partner/objectives/completions/${String(completion['id'])}/void`, {
    reason: `Wrong: ${email}`,
  });
  const cohort = await make(team, '/v2/partner/cohorts', { name: tag, kind: 'static' });
  await make(team, `/v2/partner/cohorts/${String(cohort['id'])}/members/add`, {
    contact_ids: [id],
  });

  // Runs of operations: applied and failed, inline and from a file.
  const batch = async (body: object) => {
    const asked = await make(team, '/v2/batch/operations', body);
    await whenRun(team, `/v2/batch/operations/${String(asked['id'])}`);
  };
  await batch({
    operation_kind: 'contacts.bulk_upsert',
    items: [
      { unique_id, ...names },
      { unique_id, email: 'not an address', phone },
    ],
  });
  const sent = await team.call('POST', '/v2/batch/uploads', {
    raw: `unique_id,first_name,email\r\n${unique_id},${names.first_name},${email}\r\n`,
    headers: { 'Content-Type': 'text/csv' },
  });
  await batch({ operation_kind: 'contacts.bulk_upsert', upload_id: sent.body.id });
  const lookup = await team.post(
    '/v2/ipaas/operations/contacts.lookup/execute',
    { items: [{ unique_id }] },
    { Prefer: 'respond-async', 'Idempotency-Key': randomUUID() },
  );
  await whenRun(team, String(lookup.headers.get('location')));

  // The actions of the person on a page of the partner.
  const templateId = await aTemplateWithPages(team, [{ name: 'Hello' }]);
  const journeyId = await enrolled(team, templateId, id);
  const widgetId = await aWidget(team);
  const visitor = visitorOf(
    api,
    await bootstrapByToken(api, await aToken(team, widgetId, { contact_id: id })),
  );
  const written = { unique_id: tag, properties: { fields: { email } } };
  const forms = ['page.form_submitted', 'widget.submitted'].map((kind) => ({ ...written, kind }));
  await visitor.call('POST', `/v2/widget/journeys/${journeyId}/events`, {
    body: { events: forms },
  });
  await visitor.call('PUT', `/v2/widget/journeys/${journeyId}/consents/sms`, {
    body: { status: 'subscribed', disclosure: `evidence${tag}` },
  });

  // A form without an address field, with an address in its free text.
  const form = await aFormPage(team, { submit_label: 'Send', fields: [aField('question')] });
  const question = `Why does ${email} get no answer?`;
  await sendForm(api, form, { _form: await openForm(api, form), question });

  // Callbacks: linked, unlinked with the address, of a kind whose body is not understood.
  const hook = await aReceiver(api, team);
  const say = (fields: object) =>
    hook.send({
      ...{ kind: 'generic_hmac', event_id: randomUUID(), event_type: 'x', do_contact_id: id },
      ...{ occurred_at: new Date().toISOString(), payload: { email, phone } },
      ...fields,
    });
  await say({});
  await say({ do_contact_id: randomUUID() });
  const mail = await aReceiver(api, team, { receiver_kind: 'email_a' });
  const sentTo = (fields: object) =>
    mail.send({
      ...{ kind: 'email_a', email_a_event_type: 'Bounce', email_a_message_id: randomUUID() },
      ...{ source: 'us@example.com', destination: [email], timestamp: new Date().toISOString() },
      ...{ raw_topic_message_id: randomUUID(), bounce: { bounceType: 'Permanent' } },
      ...fields,
    });
  await sentTo({ do_contact_id: id });
  await sentTo({});

  // Not recognized: only its raw bytes are stored.
  expect((await hook.send({ no: 'event of ours', to: email })).status).toBe(200);

  // A file in the drop, which names the person as well, with a line that cannot be applied.
  const drop = await connect(worker.sftpPort ?? 0, await newCredential(team));
  const rows = `unique_id,email\r\n${unique_id},${email}\r\nother-${tag},${email} ${phone}\r\n`;
  await drop.put(`/in/contacts/${email}.csv`, rows);
  await drop.end();
  await eventually(
    async () => (await team.get('/v2/partner/sftp-uploads')).body.data,
    ([upload]: any[]) => upload?.status === 'processed',
  );

  // A sent message, and a test of the address.
  const content = {
    channel: 'email',
    to: email,
    from: { address: 'us@example.com' },
    subject: names.first_name,
    html: names.last_name,
    text: names.last_name,
  } as const;
  const message = { team_id: team.id, channel: 'email', recipient: email, content } as const;
  await api.db.database.transact((sql) =>
    insertMailboxMessages(sql, [
      { ...message, id: randomUUID(), contact_id: id },
      { ...message, id: randomUUID(), contact_id: null },
    ]),
  );

  for (const body of [{ kind: 'contacts' }, { kind: 'accounts', format: 'ndjson' }]) {
    const asked = await make(team, '/v2/partner/exports', body);
    await exported(team, String(asked['id']));
  }
  const bundle = await make(team, `/v2/partner/contacts/${id}/export`);
  await exported(team, String(bundle['id']));
  await eventually(
    async () =>
      (await team.get(`/v2/partner/webhook-subscriptions/${String(subscription['id'])}/deliveries`))
        .body.data,
    (rows: any[]) => rows.some(({ attempt_count }) => attempt_count > 0),
  );
  return { id, accountId: String(account['id']), values };
}

/** A person who became a contact through a form; returns the id. */
async function visitorOfForm(team: TestTeam, values: string[]): Promise<string> {
  const tag = randomUUID().slice(0, 8);
  const said = { email: `form.${tag}@example.com`, story: `story${tag}`, news: 'yes' };
  const news = aField('news', { kind: 'checkbox', consent: 'email' });
  const fields = [aField('email'), aField('story'), news];
  const page = await aFormPage(team, { submit_label: 'Send', fields });
  await sendForm(api, page, { _form: await openForm(api, page), ...said });
  values.push(said.email, said.story);
  const found = await team.get(`/v2/partner/contacts?filter[email]=${said.email}`);
  return String(found.body.data[0].id);
}

const exported = (team: TestTeam, id: string) =>
  eventually(
    async () => (await team.get(`/v2/partner/exports/${id}`)).body,
    ({ status }: any) => status === 'succeeded',
  );

/** Where any of the values is found: tables, what is sealed, and Temporal's histories. */
async function found(values: readonly string[]) {
  const address = required(environmentNames.temporalAddress);
  const { found: inTemporal, workflows } = await foundInTemporal(
    { address, namespace: worker.namespace },
    values,
  );
  expect(workflows).toBeGreaterThan(0);
  return {
    inTables: await foundInTables(look, values),
    inSealed: await foundInSealed(look, api.keyring, values),
    inTemporal,
  };
}
const look: Look = (work) => api.db.look(work);
const nothing = { inTables: [], inSealed: [], inTemporal: [] };

const erased = (team: TestTeam, location: string) =>
  eventually(
    async () => (await team.get(location)).body,
    ({ status }: any) => status === 'completed',
  );

test('after an erasure only the ids of the tombstone remain of the person', async () => {
  const team = await api.newTeam();
  const neighbor = await make(team, '/v2/partner/contacts', { unique_id: 'somebody-else' });
  const { id, accountId, values } = await somebody(team);
  const visitor = await visitorOfForm(team, values);
  expect((await found(values)).inTables.length).toBeGreaterThan(8);
  await untilTrue(async () => {
    const unsent = await api.db.look(
      (sql) => sql`
        select from webhook_deliveries where team_id = ${team.id} and attempt_count = 0`,
    );
    return unsent.length === 0;
  });

  const other = await team.post(`/v2/partner/contacts/${visitor}/erase`);
  const asked = await team.post(`/v2/partner/contacts/${id}/erase`);
  expect(asked.status).toBe(202);
  const gone = await team.get(`/v2/partner/contacts/${id}`);
  expect([gone.status, gone.body.errors[0].code]).toEqual([410, 'resource_erased']);
  const location = String(asked.headers.get('location'));
  await eventually(
    async () => (await team.get(location)).body,
    ({ status }: any) => status === 'sweeping',
  );
  // Posts that were under way are answered only now.
  const [email = ''] = values;
  const answered = await api.db.look(
    (sql) => sql`
      update webhook_attempts a set response_body = ${email}
      from webhook_deliveries d join webhook_events e on e.id = d.event_id
      where a.delivery_id = d.id and e.team_id = ${team.id} and e.is_erased
      returning e.resource_id`,
  );
  const about = answered.map(({ resource_id }) => resource_id);
  expect(about).toEqual(expect.arrayContaining([id, accountId, visitor]));
  await erased(team, String(other.headers.get('location')));
  const done = await erased(team, location);
  expect(done).toMatchObject({ contact_id: id, status: 'completed' });

  expect(await found(values)).toEqual(nothing);
  expect((await team.get(`/v2/partner/contacts/${String(neighbor['id'])}`)).status).toBe(200);

  const sessions = await api.db.look(
    (sql) => sql`select from recipient_sessions where team_id = ${team.id}`,
  );
  expect(sessions).toEqual([]);
  const [tombstone] = await api.db.look(
    (sql) => sql<Record<string, unknown>[]>`
      select * from contacts where team_id = ${team.id} and id = ${id}`,
  );
  expect(tombstone).toMatchObject({ id, status: 'archived', email: null, attributes: {} });
  const trail = await team.get('/v2/partner/audit-events?filter[action]=contact.erased');
  expect(trail.body.data.map((line: any) => line.resource_id)).toEqual([id, visitor]);
  const again = await team.post(`/v2/partner/contacts/${id}/erase`);
  expect([again.status, again.body.id]).toEqual([202, asked.body.id]);
  for (const { id: exportId, kind } of (await team.get('/v2/partner/exports')).body.data) {
    await exported(team, exportId);
    const file = await team.get(`/v2/partner/exports/${String(exportId)}/file`);
    if (kind === 'contacts') expect(file.body).toContain('somebody-else');
    expect(JSON.stringify(file.body ?? '')).not.toContain(id);
  }

  // A later callback about the person is linked to the tombstone without its data.
  const mail = await aReceiver(api, team, { receiver_kind: 'email_a' });
  const late = await mail.send({
    ...{ kind: 'email_a', email_a_event_type: 'Bounce', email_a_message_id: randomUUID() },
    ...{ source: 'us@example.com', destination: [email], timestamp: new Date().toISOString() },
    ...{
      raw_topic_message_id: randomUUID(),
      do_contact_id: id,
      bounce: { bounceType: 'Permanent' },
    },
  });
  expect(late.status).toBe(200);
  expect(await found(values)).toEqual(nothing);
});

test('data that a lost worker leaves behind is erased by the next worker', async () => {
  const team = await api.newTeam();
  const { id, values } = await somebody(team);
  const asked = await team.post('/v2/ipaas/operations/contacts.erase/execute', {
    items: [{ contact_id: id }, { contact_id: randomUUID() }],
  });
  expect(asked.status).toBe(202);
  const run = await whenRun(team, String(asked.headers.get('location')));
  expect(run).toMatchObject({ status: 'succeeded_with_errors', summary: { succeeded: 1 } });
  const results = await team.get(`${String(asked.headers.get('location'))}/result`);
  const [{ output }] = results.body.data;
  await worker.close();
  worker = await startTestWorker(api, { namespace: worker.namespace, sftpPort: 0 });
  await erased(team, `/v2/partner/contact-erasures/${String(output.id)}`);
  expect(await found(values)).toEqual(nothing);
});
