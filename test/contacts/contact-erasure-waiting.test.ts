import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { aReceiver } from '../inbound/a-receiver.ts';
import { aBatch, freePlaces, holdPlaces, itemsOf, whenRun } from '../operations/runs/a-run.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startTestWorker } from '../support/worker.ts';
import type { TestWorker } from '../support/worker.ts';
import { foundInTables } from '../world/personal-data.ts';

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

async function aPerson() {
  const tag = randomUUID().slice(0, 8);
  const person = {
    unique_id: `Customer-${tag}`,
    email: `Ada.${tag}@example.com`,
    phone: `+1415${String(Math.floor(Math.random() * 9_000_000) + 1_000_000)}`,
  };
  const { status, body } = await team.post('/v2/partner/contacts', person);
  expect(status).toBe(201);
  return { ...person, id: String(body.id) };
}

/** Erases a contact and waits until the copies have been erased. */
async function erase(id: string): Promise<void> {
  const { status, headers } = await team.post(`/v2/partner/contacts/${id}/erase`);
  expect(status).toBe(202);
  await eventually(
    async () => (await team.get(String(headers.get('location')))).body,
    (erasure: { status: string }) => erasure.status !== 'pending',
  );
}

/** The pending items of a batch, chunk by chunk. */
async function waitingIn(path: string): Promise<unknown[][]> {
  const rows = await api.db.look(
    (sql) => sql<{ input: string }[]>`
      select input from operation_chunks where run_id = ${path.split('/').at(-1) ?? ''}
      order by number`,
  );
  return rows.map(({ input }) => JSON.parse(input));
}

test('items that name the person are removed from a waiting batch, and the other items are applied', async () => {
  const { id, unique_id, email, phone } = await aPerson();
  const held = await holdPlaces(team);
  const other = () => ({ unique_id: randomUUID(), first_name: 'Grace' });
  const about = [
    { unique_id, first_name: 'Ada' },
    { unique_id: randomUUID(), email: email.toUpperCase() },
    { unique_id: randomUUID(), phone },
    { unique_id: randomUUID(), attributes: { friend: unique_id } },
  ];
  // A key that begins like the person’s is another one.
  const others = [other(), { ...other(), unique_id: `${unique_id}0` }, other()];
  const [mixed, foreign] = [
    await aBatch(team, { items: [others[0], ...about, others[1], others[2]] }),
    await aBatch(team, { items: [other()] }),
  ];
  const untouched = await waitingIn(foreign);

  await erase(id);
  expect(await waitingIn(mixed)).toEqual([
    [others[0], null, null, null, null, others[1], others[2]],
  ]);
  expect(await waitingIn(foreign)).toEqual(untouched);

  await freePlaces(team, held);
  expect(await whenRun(team, mixed)).toMatchObject({
    status: 'succeeded_with_errors',
    succeeded_count: 3,
    failed_count: 4,
  });
  const items = await itemsOf(team, `${mixed}/items`);
  expect(items.map(({ status }) => status)).toEqual([
    'created',
    ...about.map(() => 'failed'),
    ...['created', 'created'],
  ]);
  expect(await whenRun(team, foreign)).toMatchObject({ status: 'succeeded' });
  expect(await foundInTables((work) => api.db.look(work), [email, phone])).toEqual([]);
});

test('chunks that only seem to name the person do not prevent the search of later chunks', async () => {
  const { id, unique_id, email } = await aPerson();
  await holdPlaces(team);
  const chunk = 500;
  const items = Array.from({ length: 12 * chunk }, (_, at) => ({
    unique_id: String(at),
    // Keys are case-sensitive.
    ...(at % chunk === 0 && { first_name: unique_id.toLowerCase() }),
  }));
  const path = await aBatch(team, { items: [...items, { unique_id: 'last', email }] });
  await erase(id);
  const waiting = await waitingIn(path);
  expect(waiting.length).toBeGreaterThan(10);
  expect(waiting.flat()).toEqual([...items, null]);
});

test('raw bytes of unrecognized callbacks are deleted if they name the person', async () => {
  const { id, unique_id, email } = await aPerson();
  const receiver = await aReceiver(api, team);
  const take = async (words: string) => {
    const reply = await receiver.send({ no: 'event of ours', words });
    expect(reply.status).toBe(200);
    return String(reply.body.delivery_id);
  };
  const about = [
    await take(`from: ${email.toLowerCase()}`),
    await take(encodeURIComponent(email)),
    await take(`customer ${unique_id}.`),
  ];
  const others = [await take('from: grace@example.com'), await take(`customer ${unique_id}0`)];
  const stored = async (deliveryId: string) => {
    const path = `/v2/webhooks/inbound/${receiver.id}/deliveries/${deliveryId}`;
    return (await team.get(path)).body;
  };
  expect(await stored(about[0] ?? '')).toMatchObject({
    ...{ status: 'failed', raw_available: true, error: { code: 'payload_unrecognised' } },
  });

  await erase(id);
  for (const deliveryId of about) {
    const delivery = await stored(deliveryId);
    expect(delivery).toMatchObject({ status: 'failed', raw_available: false });
    expect(delivery).not.toHaveProperty('body_sha256');
    expect(delivery).not.toHaveProperty('headers');
  }
  for (const deliveryId of others) {
    expect(await stored(deliveryId)).toMatchObject({ status: 'failed', raw_available: true });
  }
  const kept = await api.db.look(
    (sql) => sql<{ id: string }[]>`select id from inbound_raw where team_id = ${team.id}`,
  );
  expect(new Set(kept.map((row) => row.id))).toEqual(new Set(others));
});
