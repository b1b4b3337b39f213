import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startTestApi } from '../../support/api.ts';
import type { TestApi, TestTeam } from '../../support/api.ts';
import { startTestWorker } from '../../support/worker.ts';
import type { TestWorker } from '../../support/worker.ts';
import {
  aBatch,
  askBatch,
  badItem,
  batchPath,
  contactsOf,
  countContacts,
  freePlaces,
  holdPlaces,
  itemsOf,
  keysOf,
  whenRun,
} from '../runs/a-run.ts';

let api: TestApi;
let worker: TestWorker;
let team: TestTeam;

beforeAll(async () => {
  api = await startTestApi({ BATCH_CPU_SHARE: '1' });
  worker = await startTestWorker(api);
});
afterAll(async () => {
  await worker.close();
  await api.stop();
});
beforeEach(async () => {
  team = await api.newTeam();
});

test('a batch is requested, polled, and its items are read page by page', async () => {
  const keys = keysOf(1_201);
  const items = contactsOf(keys);
  items[7] = badItem(keys[7] ?? '');
  items[900] = badItem(keys[900] ?? '');

  const asked = await askBatch(team, { items });
  expect(asked.status).toBe(202);
  expect(asked.body).toMatchObject({
    type: 'batch_operation',
    team_id: team.id,
    operation_kind: 'contacts.bulk_upsert',
    status: 'queued',
    source: 'inline',
    total_count: 1_201,
    processed_count: 0,
    error_summary: [],
  });
  const location = String(asked.headers.get('location'));
  expect(location).toBe(`${batchPath}/${String(asked.body.id)}`);
  expect(Number(asked.headers.get('retry-after'))).toBeGreaterThan(0);

  const done = await whenRun(team, location);
  expect(done).toMatchObject({
    status: 'succeeded_with_errors',
    processed_count: 1_201,
    succeeded_count: 1_199,
    failed_count: 2,
    skipped_count: 0,
    error_summary: [{ code: 'validation_failed', count: 2, sample_index: 7 }],
    started_at: expect.any(String),
    completed_at: expect.any(String),
    expires_at: expect.any(String),
  });
  expect((await team.get(location)).headers.get('retry-after')).toBeNull();

  const results = await itemsOf(team, `${location}/items`);
  expect(results.map(({ index }) => index)).toEqual(keys.map((_, at) => at));
  expect(results.filter(({ status }) => status === 'created')).toHaveLength(1_199);
  expect(results[7]).toEqual({
    index: 7,
    status: 'failed',
    errors: [
      expect.objectContaining({
        code: 'validation_failed',
        meta: expect.objectContaining({ pointer: '/email' }),
      }),
    ],
  });
  const contact = await team.get(`/v2/partner/contacts/unique_id:${String(keys[1_200])}`);
  expect(results[1_200]).toEqual({
    index: 1_200,
    status: 'created',
    resource_type: 'contact',
    resource_id: contact.body.id,
    errors: [],
  });
  const failed = await team.get(`${location}/items?filter[status]=failed&meta=count`);
  expect(failed.body.meta.count).toBe(2);
  expect(await countContacts(team)).toBe(1_199);
  const listed = await team.get(`${batchPath}?filter[status]=succeeded_with_errors`);
  expect(listed.body.data).toEqual([done]);
});

test('events that a batch records have the source batch, and a filter finds them', async () => {
  const items = [{ kind: 'page.viewed', unique_id: 'view-1' }];
  const path = await aBatch(team, { operation_kind: 'engagement_events.record', items });
  expect(await whenRun(team, path)).toMatchObject({ status: 'succeeded', succeeded_count: 1 });
  const { body } = await team.get('/v2/partner/engagement-events?filter[source]=batch');
  expect(body.data).toMatchObject([{ ...items[0], source: 'batch' }]);
});

test('items are applied in order: the last item of a contact decides', async () => {
  const unique_id = randomUUID();
  const names = Array.from({ length: 700 }, (_, at) => `Name ${String(at)}`);
  const path = await aBatch(team, {
    items: names.map((first_name) => ({ unique_id, first_name })),
  });
  expect(await whenRun(team, path)).toMatchObject({ status: 'succeeded', succeeded_count: 700 });
  const contact = await team.get(`/v2/partner/contacts/unique_id:${unique_id}`);
  expect(contact.body.first_name).toBe('Name 699');
  const items = await itemsOf(team, `${path}/items`);
  expect(items.map(({ status }) => status)).toEqual([
    'created',
    ...names.slice(1).map(() => 'updated'),
  ]);
});

test('a transactional batch is all or nothing', async () => {
  const keys = keysOf(600);
  const items = contactsOf(keys);
  items[550] = badItem(keys[550] ?? '');
  const options = { failure_mode: 'transactional' };
  const refused = await aBatch(team, { items, options });
  expect(await whenRun(team, refused)).toMatchObject({
    status: 'failed',
    processed_count: 600,
    failed_count: 1,
    skipped_count: 599,
    error: { code: 'operation_failed' },
  });
  expect(await countContacts(team)).toBe(0);
  const good = await aBatch(team, { items: contactsOf(keys), options });
  expect(await whenRun(team, good)).toMatchObject({ status: 'succeeded', succeeded_count: 600 });
  expect(await countContacts(team)).toBe(600);

  const large = await askBatch(team, { items: contactsOf(keysOf(1_001)), options });
  expect([large.status, large.body.errors[0].code]).toEqual([422, 'too_many_items']);
  expect(large.body.errors[0].meta.max).toBe(1_000);
});

test('the failed items run again as a new batch', async () => {
  const keys = keysOf(1_300);
  const isBad = (at: number) => at % 2 === 1;
  await team.db.look(
    (sql) => sql`
      create function refuse_contacts() returns trigger language plpgsql as $$ begin
        if new.first_name = 'Refused' then raise exception 'no'; end if;
        return new;
      end $$`,
  );
  await team.db.look(
    (sql) => sql`
      create trigger refuse_contacts before insert on contacts
      for each row execute function refuse_contacts()`,
  );
  const items = keys.map((unique_id, at) => ({
    unique_id,
    first_name: isBad(at) ? 'Refused' : 'Ada',
  }));
  const first = await aBatch(team, { items });
  expect(await whenRun(team, first)).toMatchObject({
    status: 'succeeded_with_errors',
    succeeded_count: 650,
    failed_count: 650,
    error_summary: [{ code: 'item_failed', count: 650, sample_index: 1 }],
  });
  await team.db.look((sql) => sql`drop trigger refuse_contacts on contacts`);

  const asked = await team.post(`${first}/retry`);
  expect(asked.status).toBe(202);
  expect(asked.body).toMatchObject({
    status: 'queued',
    total_count: 650,
    retry_of_id: first.split('/').at(-1),
  });
  const second = String(asked.headers.get('location'));
  expect(await whenRun(team, second)).toMatchObject({
    status: 'succeeded',
    succeeded_count: 650,
    total_count: 650,
  });
  expect(await countContacts(team)).toBe(1_300);
  const nothing = await team.post(`${second}/retry`);
  expect([nothing.status, nothing.body.errors[0].code]).toEqual([409, 'invalid_state_transition']);
});

test('a dry run returns the result of each item, and leaves nothing', async () => {
  await team.post('/v2/partner/webhook-subscriptions', {
    target_url: 'https://hooks.example.com/batches',
    event_types: ['contact.*', 'batch_operation.*'],
  });
  const items = [...contactsOf(keysOf(120)), badItem('bad')];
  const small = await team.post(`${batchPath}/validate`, {
    operation_kind: 'contacts.bulk_upsert',
    items: items.slice(-3),
  });
  expect(small.status).toBe(200);
  expect(small.headers.get('location')).toBeNull();
  expect(small.body).toMatchObject({
    status: 'succeeded_with_errors',
    dry_run: true,
    total_count: 3,
    failed_count: 1,
    items: [
      { index: 0, status: 'created' },
      { index: 1, status: 'created' },
      { index: 2, status: 'failed', errors: [{ meta: { pointer: '/email' } }] },
    ],
  });
  expect(small.body.id).toBeUndefined();

  const large = await team.post(`${batchPath}/validate`, {
    operation_kind: 'contacts.bulk_upsert',
    items,
    options: { notify_webhook: true },
  });
  expect(large.status).toBe(202);
  const path = String(large.headers.get('location'));
  expect(await whenRun(team, path)).toMatchObject({
    status: 'succeeded_with_errors',
    dry_run: true,
    succeeded_count: 120,
    failed_count: 1,
  });
  expect(await countContacts(team)).toBe(0);
  const events = await team.db.look<{ type: string; id: string }>(
    (sql) => sql`
      select type, resource_id as id from webhook_events
      where team_id = ${team.id} order by sequence`,
  );
  const { id } = large.body;
  expect(events).toEqual([
    { type: 'batch_operation.started', id },
    { type: 'batch_operation.partially_succeeded', id },
  ]);
});

test('a client that has lost a scope or is disabled meanwhile applies nothing more', async () => {
  const scopes = ['batch:operations:write', 'partner:contacts:write'];
  const [narrowed, off] = [await team.withScopes(...scopes), await team.withScopes(...scopes)];
  const held = await holdPlaces(team);
  const paths: string[] = [];
  for (const caller of [narrowed, off]) {
    paths.push(await aBatch(caller, { items: contactsOf(keysOf(3)) }));
  }
  await team.db.look(
    (sql) => sql`
      update clients set scopes = '{batch:operations:write}'
      where team_id = ${team.id} and id = ${narrowed.clientId}`,
  );
  await team.db.look(
    (sql) => sql`
      update clients set suspended_at = now() where team_id = ${team.id} and id = ${off.clientId}`,
  );
  await freePlaces(team, held);
  const [first, second] = await Promise.all(paths.map((path) => whenRun(team, path)));
  expect(first).toMatchObject({
    status: 'failed',
    processed_count: 0,
    error: { code: 'scope_missing', meta: { missing_scopes: ['partner:contacts:write'] } },
  });
  expect(second).toMatchObject({ status: 'failed', error: { code: 'invalid_client' } });
  expect(await countContacts(team)).toBe(0);
});

test('rows of a running batch accept other writes without a long wait', async () => {
  const keys = keysOf(2_000);
  const first = await aBatch(team, { items: contactsOf(keys) });
  await whenRun(team, first);
  const items = keys.map((unique_id) => ({ unique_id, first_name: 'Grace' }));
  const second = await aBatch(team, { items });
  const statuses = new Set<number>();
  for (let at = 0; at < 2_000; at += 40) {
    const path = `/v2/partner/contacts/unique_id:${String(keys[at])}`;
    statuses.add((await team.patch(path, { last_name: 'Hopper' })).status);
  }
  expect([...statuses]).toEqual([200]);
  expect(await whenRun(team, second)).toMatchObject({
    status: 'succeeded',
    succeeded_count: 2_000,
  });
  const { body } = await team.get(`/v2/partner/contacts/unique_id:${String(keys[40])}`);
  expect(body).toMatchObject({ first_name: 'Grace', last_name: 'Hopper' });
});
