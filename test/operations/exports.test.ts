import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { anObjective } from '../campaigns/a-template.ts';
import { whenRun } from './runs/a-run.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startTestWorker } from '../support/worker.ts';
import type { TestWorker } from '../support/worker.ts';

const path = '/v2/partner/exports';

let api: TestApi;
let worker: TestWorker;
let team: TestTeam;

beforeAll(async () => {
  api = await startTestApi({ BATCH_CPU_SHARE: '1' });
  worker = await startTestWorker(api);
  team = await api.newTeam();
});
afterAll(async () => {
  await worker.close();
  await api.stop();
});

async function make(at: string, body?: object, of = team): Promise<Record<string, any>> {
  const reply = await of.post(at, body);
  if (reply.status >= 300) throw new Error(`POST ${at}: ${JSON.stringify(reply.body)}`);
  return reply.body;
}

/** The file of a requested export, once it is made. */
async function fileOf(asked: { id?: string }, of = team, headers: Record<string, string> = {}) {
  const at = `${path}/${String(asked.id)}`;
  const done = await eventually(
    async () => (await of.get(at)).body,
    (row: any) => row.status === 'succeeded' || row.status === 'failed',
  );
  const reply = await of.call('GET', `${at}/file`, { headers });
  return { done, reply, text: typeof reply.body === 'string' ? reply.body : '' };
}

const many = async (of: TestTeam, count: number) =>
  of.db.look(
    (sql) => sql`
      insert into contacts (team_id, id, unique_id, email, consents)
      select ${of.id}, gen_random_uuid(), 'key-' || n, 'p' || n || '@example.com', '{}'
      from generate_series(1, ${count}) n`,
  );

test('a list becomes a CSV file whose cells return the stored values, and are no formulas', async () => {
  const own = await api.newTeam();
  const written = [
    { unique_id: '=1+1', first_name: '"quoted", line\r\nbreak', phone: '+14155550100' },
    { unique_id: "'=x", last_name: '@home', attributes: { plan: 'gold', likes: ['a'] } },
    { unique_id: "'plain", last_name: '-5', tags: ['vip', 'new'] },
    { unique_id: 'ünï', last_name: '\ttab' },
  ];
  for (const body of written) await make('/v2/partner/contacts', body, own);
  const asked = await own.post(path, { kind: 'contacts' });
  expect(asked.status).toBe(202);
  expect(asked.headers.get('location')).toBe(`${path}/${String(asked.body.id)}`);
  const { done, reply, text } = await fileOf(asked.body, own);
  expect(done).toMatchObject({ status: 'succeeded', row_count: 4, format: 'csv' });
  expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(Buffer.byteLength(text)).toBe(done.size_bytes);
  const rows: Record<string, string>[] = parse(text, { columns: true });
  for (const cell of rows.flatMap((row) => Object.values(row)))
    expect(cell).not.toMatch(/^[=+\-@\t\r]/);
  const back = (cell: string | undefined) => cell?.replace(/^'(?='*[=+\-@\t\r])/, '');
  const byKey = new Map(rows.map((row) => [back(row.unique_id), row]));
  expect([...byKey.keys()].sort()).toEqual(written.map(({ unique_id }) => unique_id).sort());
  expect(byKey.get('=1+1')).toMatchObject({
    first_name: '"quoted", line\r\nbreak',
    phone: "'+14155550100",
  });
  expect(byKey.get("'=x")).toMatchObject({ attributes: '{"plan": "gold", "likes": ["a"]}' });
  expect(byKey.get("'plain")).toMatchObject({ tags: 'vip;new', last_name: "'-5" });
});

test('an exported file can be imported again, phone numbers included', async () => {
  const [from, to] = [await api.newTeam(), await api.newTeam()];
  const body = { unique_id: '=1+1', phone: '+14155550100', tags: ['vip'], attributes: { a: 'b' } };
  await make('/v2/partner/contacts', body, from);
  const { text } = await fileOf(await make(path, { kind: 'contacts' }, from), from);
  const sent = await to.call('POST', '/v2/batch/uploads', {
    raw: text,
    headers: { 'Content-Type': 'text/csv' },
  });
  const batch = await to.post(
    '/v2/batch/operations',
    {
      operation_kind: 'contacts.bulk_upsert',
      upload_id: sent.body.id,
      mapping: { consents: null },
    },
    { 'Idempotency-Key': randomUUID() },
  );
  const done = await whenRun(to, `/v2/batch/operations/${String(batch.body.id)}`);
  expect(done).toMatchObject({ status: 'succeeded', succeeded_count: 1 });
  expect((await to.get('/v2/partner/contacts/unique_id:=1+1')).body).toMatchObject(body);
});

test('filters are those of the list, wrong ones are refused at once', async () => {
  const own = await api.newTeam();
  await make('/v2/partner/contacts', { unique_id: 'a', tags: ['vip'] }, own);
  await make('/v2/partner/contacts', { unique_id: 'b', attributes: { plan: 'gold' } }, own);
  const gone = await make('/v2/partner/contacts', { unique_id: 'c', tags: ['vip'] }, own);
  await own.delete(`/v2/partner/contacts/${String(gone.id)}`);
  const filtered = async (filters: object) => {
    const asked = await make(path, { kind: 'contacts', format: 'ndjson', filters }, own);
    const { reply, text } = await fileOf(asked, own);
    expect(reply.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  };
  expect((await filtered({ 'filter[tags][contains]': 'vip' })).map((one) => one.unique_id)).toEqual(
    ['a'],
  );
  const [gold] = await filtered({ 'filter[attributes.plan]': 'gold' });
  expect(gold).toEqual((await own.get('/v2/partner/contacts/unique_id:b')).body);
  const refused = await own.post(path, { kind: 'contacts', filters: { 'filter[nobody]': 'x' } });
  expect([refused.status, refused.body.errors[0].code]).toEqual([400, 'invalid_filter_field']);
});

test('a file is given to a client that accepts no other type than its own', async () => {
  const asked = await make(path, { kind: 'contacts', format: 'ndjson' });
  const statusFor = async (Accept: string) => (await fileOf(asked, team, { Accept })).reply.status;
  for (const accepted of [
    ...['application/x-ndjson', 'application/x-ndjson; charset=utf-8', '*/*'],
    'text/html, application/x-ndjson;q=0.5',
  ]) {
    expect([accepted, await statusFor(accepted)]).toEqual([accepted, 200]);
  }
  expect(await statusFor('image/png')).toBe(406);
  const contact = await make('/v2/partner/contacts', { unique_id: randomUUID() });
  const one = await make(`/v2/partner/contacts/${String(contact.id)}/export`);
  const { reply } = await fileOf(one, team, { Accept: 'application/json;charset=UTF-8' });
  expect([reply.status, reply.headers.get('content-type')]).toEqual([
    200,
    'application/json; charset=utf-8',
  ]);
});

test('accounts and completions are exported as their lists show them', async () => {
  const own = await api.newTeam();
  const contact = await make('/v2/partner/contacts', { unique_id: 'a' }, own);
  const account = await make(
    `/v2/partner/contacts/${String(contact.id)}/accounts`,
    { kind: 'loan', balance_cents: -5 },
    own,
  );
  const completion = await make(
    `/v2/partner/objectives/${await anObjective(own)}/completions`,
    { contact_id: contact.id },
    own,
  );
  const lines = async (kind: string) =>
    JSON.parse((await fileOf(await make(path, { kind, format: 'ndjson' }, own), own)).text);
  expect(await lines('accounts')).toEqual(
    (await own.get(`/v2/partner/accounts/${String(account.id)}`)).body,
  );
  expect(await lines('objective_completions')).toEqual(
    (await own.get(`/v2/partner/objectives/completions/${String(completion.id)}`)).body,
  );
  const csv = await fileOf(await make(path, { kind: 'accounts' }, own), own);
  expect(parse(csv.text, { columns: true })).toMatchObject([{ balance_cents: '-5' }]);
});

test('a file of many parts holds every row once, also when workers fail meanwhile', async () => {
  const own = await api.newTeam();
  await many(own, 9_000);
  const asked = await make(path, { kind: 'contacts', format: 'ndjson' }, own);
  await worker.close();
  worker = await startTestWorker(api, { namespace: worker.namespace });
  const { done, text } = await fileOf(asked, own);
  const ids = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).id);
  expect(done.row_count).toBe(9_000);
  expect(new Set(ids).size).toBe(9_000);
  expect(ids).toHaveLength(9_000);
});

test('an export of a contact is one JSON document with all its data', async () => {
  const contact = await make('/v2/partner/contacts', {
    unique_id: randomUUID(),
    email: 'ada@example.com',
    date_of_birth: '1990-12-10',
  });
  const id = String(contact.id);
  await team.call('PUT', `/v2/partner/contacts/${id}/consents/email`, {
    body: { status: 'subscribed', source: 'branch', evidence: 'ticked' },
  });
  await make(`/v2/partner/contacts/${id}/accounts`, { kind: 'loan' });
  await make(`/v2/partner/contacts/${id}/devices`, { token: randomUUID(), platform: 'ios' });
  await make('/v2/partner/suppressions', { channel: 'email', address: 'ada@example.com' });
  await make('/v2/partner/engagement-events', { events: [{ kind: 'custom', contact_id: id }] });
  await make(`/v2/partner/objectives/${await anObjective(team)}/completions`, { contact_id: id });
  const cohort = await make('/v2/partner/cohorts', { name: randomUUID(), kind: 'static' });
  await make(`/v2/partner/cohorts/${String(cohort.id)}/members/add`, { contact_ids: [id] });

  const asked = await make(`/v2/partner/contacts/${id}/export`);
  const { reply } = await fileOf(asked);
  const bundle = reply.body;
  expect(bundle.contact).toEqual((await team.get(`/v2/partner/contacts/${id}`)).body);
  expect(
    Object.fromEntries(
      Object.entries(bundle).map(([name, rows]: [string, any]) => [name, rows.length ?? 1]),
    ),
  ).toEqual({
    contact: 1,
    accounts: 1,
    consent_changes: 1,
    devices: 1,
    suppressions: 1,
    topic_consent_changes: 0,
    cohorts: 1,
    objective_completions: 1,
    engagement_events: 2,
    journeys: 0,
    message_deliveries: 0,
    archived_messages: 0,
    inbound_deliveries: 0,
    omitted_sections: 0,
  });
  const reader = await team.withScopes('partner:exports:read', 'partner:contacts:read');
  expect((await reader.get(`${path}/${String(asked.id)}/file`)).status).toBe(401);
});

test('the export of a contact omits and names the parts that the client may not read', async () => {
  const { id } = await make('/v2/partner/contacts', { unique_id: randomUUID() });
  await make(`/v2/partner/contacts/${String(id)}/accounts`, { kind: 'loan' });
  await make('/v2/partner/engagement-events', { events: [{ kind: 'custom', contact_id: id }] });
  const narrow = await team.withScopes('partner:contacts:read', 'partner:exports:read');
  const { reply } = await fileOf(
    await make(`/v2/partner/contacts/${String(id)}/export`, undefined, narrow),
    narrow,
  );
  expect(reply.status).toBe(200);
  expect(Object.keys(reply.body)).toEqual([
    ...['contact', 'accounts', 'consent_changes', 'topic_consent_changes', 'devices'],
    ...['suppressions', 'omitted_sections'],
  ]);
  expect(reply.body.accounts).toHaveLength(1);
  expect(reply.body.omitted_sections).toContainEqual({
    section: 'engagement_events',
    required_scope: 'partner:engagement:read',
  });
  // A file of another client's wider scopes is not for this one either.
  const whole = await fileOf(await make(`/v2/partner/contacts/${String(id)}/export`));
  expect(whole.reply.body.engagement_events.length).toBeGreaterThan(0);
  expect((await narrow.get(`${path}/${String(whole.done.id)}/file`)).status).toBe(401);
});

test.each([
  ['queued', {}, 409, 'execution_not_finished'],
  ['running', {}, 409, 'execution_not_finished'],
  ['failed', { detail: 'It broke.' }, 409, 'invalid_state_transition'],
  ['succeeded', {}, 410, 'result_expired'],
])(
  'an export that is %s %j has no file, and the error names the reason',
  async (status, error, code, name) => {
    const other = await api.newTeam();
    const [row] = await other.db.look<{ id: string }>(
      (sql) => sql`
      insert into exports (team_id, kind, format, status, error, requested_by_client_id, expires_at)
      select ${other.id}, 'contacts', 'csv', ${status}, ${JSON.stringify(error)}::text::jsonb,
        ${other.clientId}, now() + ${status === 'succeeded' ? '-1 minute' : '1 hour'}::interval
      returning id`,
    );
    const reply = await other.get(`${path}/${String(row?.id)}/file`);
    expect([reply.status, reply.body.errors[0].code]).toEqual([code, name]);
    if (status === 'failed') expect(reply.body.errors[0].detail).toBe('It broke.');
    if (name === 'execution_not_finished') {
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  },
);

test('a client without the scope of a list cannot export it, nor fetch its file', async () => {
  const asker = await team.withScopes('partner:exports:write');
  expect((await asker.post(path, { kind: 'contacts' })).body.errors[0].code).toBe('scope_missing');
  const asked = await make(path, { kind: 'contacts' });
  await fileOf(asked);
  const reader = await team.withScopes('partner:exports:read');
  expect((await reader.get(`${path}/${String(asked.id)}/file`)).status).toBe(401);
  expect((await team.delete(`${path}/${String(asked.id)}`)).status).toBe(204);
  expect((await team.get(`${path}/${String(asked.id)}/file`)).status).toBe(404);
});

test('the read log becomes a file', async () => {
  const own = await api.newTeam();
  await own.patch('/v2/partner/team', { retention: { contact_reads_days: 30 } });
  const reader = await own.withScopes('partner:contacts:write');
  const { id } = await make('/v2/partner/contacts', { unique_id: 'read' }, reader);
  const asked = await make(path, { kind: 'contact_reads', format: 'ndjson' }, own);
  const { done, text } = await fileOf(asked, own);
  expect(done).toMatchObject({ status: 'succeeded', row_count: 1 });
  const { body } = await own.get('/v2/partner/contact-reads');
  expect(JSON.parse(text)).toEqual(body.data[0]);
  expect(body.data[0].contact_id).toBe(id);
});
