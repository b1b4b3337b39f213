import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { aReceiver } from '../inbound/a-receiver.ts';
import { startManagedServer } from '../operations/sftp/a-managed-server.ts';
import { aSource, newSource, tellOf, uploadsOf } from '../operations/sftp/a-source.ts';
import { whenRun } from '../operations/runs/a-run.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startTestWorker } from '../support/worker.ts';
import type { TestWorker } from '../support/worker.ts';

// An erasure takes twenty seconds and more, most of them a wait: the tests run at the same time.
const contacts = '/v2/partner/contacts';
let api: TestApi;
let worker: TestWorker;
beforeAll(async () => {
  api = await startTestApi();
  worker = await startTestWorker(api);
});
afterAll(async () => {
  await worker.close();
  await api.stop();
});

async function erase(team: TestTeam, id: string): Promise<void> {
  const { body } = await team.post(`${contacts}/${id}/erase`);
  if (body.id === undefined) throw new Error(JSON.stringify(body));
  await eventually(
    async () => (await team.get(`/v2/partner/contact-erasures/${String(body.id)}`)).body.status,
    (status) => status === 'completed',
  );
}
const anAddress = () => `${randomUUID().slice(0, 8)}@example.com`;

test.concurrent('a file that names an erased person by an earlier address is deleted', async () => {
  const team = await api.newTeam();
  const [first, second] = [anAddress(), anAddress()];
  const { body: contact } = await team.post(contacts, { unique_id: randomUUID(), email: first });
  if (contact.id === undefined) throw new Error(JSON.stringify(contact));
  await team.patch(`${contacts}/${String(contact.id)}`, { email: second });
  const upload = await team.call('POST', '/v2/batch/uploads', {
    raw: `email,unique_id\n${first},x-1\n`,
    headers: { 'Content-Type': 'text/csv' },
  });
  expect(upload.status).toBe(201);
  await erase(team, contact.id);
  expect((await team.get(`/v2/batch/uploads/${String(upload.body.id)}`)).status).toBe(404);
  const left = await api.db.look(
    (sql) => sql`select kind from earlier_identities where team_id = ${team.id}`,
  );
  expect(left).toEqual([]);
});

const writings: [how: string, email: string, written: (email: string) => string][] = [
  ['as it is stored', 'anna.er@erase.example', (email) => email],
  ['in another letter case', 'Anna.ER@erase.example', (email) => email.toUpperCase()],
  ['in lower case', 'ANNA.Er@erase.example', (email) => email.toLowerCase()],
  ['with umlauts', 'anna.er@übung.example', (email) => email],
  ['with large umlauts', 'anna.er@übung.example', (email) => email.toUpperCase()],
  ['in decomposed letters', 'anna.er@übung.example', (email) => email.normalize('NFD')],
];

/** A person for each way of writing its address. */
const everybody = (team: TestTeam) =>
  Promise.all(
    writings.map(async ([how, address, written], at) => {
      const email = `${randomUUID().slice(0, 8)}.${address}`;
      const unique_id = `ERASE-Ö${String(at)}`;
      const { body } = await team.post(contacts, { unique_id, email });
      return { how, id: String(body.id), written: written(email) };
    }),
  );

test.concurrent(
  'files that were fetched under the address of an erased person do not retain it',
  async () => {
    const team = await api.newTeam();
    const receiver = await aReceiver(api, team, { receiver_kind: 'file_transfer_a' });
    const server = await startManagedServer();
    const source = await newSource(team, aSource(server));
    const people = await everybody(team);
    for (const { written } of people) {
      const path = `/inbox/list of ${written}.csv`;
      server.files.set(`/home/bank${path}`, { content: Buffer.from('unique_id\n') });
      await tellOf(receiver, source, { path });
    }
    await eventually(
      () => uploadsOf(team, source),
      (uploads) =>
        uploads.length === people.length &&
        uploads.every(({ status }) => status === 'processed' || status === 'failed'),
    );
    const pathsOf = async () =>
      (
        await api.db.look(
          (sql) => sql<{ path: string }[]>`
          select path from sftp_uploads where team_id = ${team.id}
          union all select path from file_fetches where team_id = ${team.id}`,
        )
      ).map(({ path }) => path);
    const isNamed = (path: string) => path.includes('list of');
    expect((await pathsOf()).filter(isNamed)).toHaveLength(2 * people.length);
    await Promise.all(people.map(({ id }) => erase(team, id)));
    expect(await pathsOf()).toHaveLength(2 * people.length);
    expect((await pathsOf()).filter(isNamed)).toEqual([]);
    await server.close();
  },
);

test.concurrent('failed items that name an erased person are not run again', async () => {
  const team = await api.newTeam();
  const people = await everybody(team);
  const batches = await Promise.all(
    people.map(async ({ how, written }) => {
      const item = { unique_id: `other ${how}`, email: written, phone: 'bad' };
      const batch = await team.post(
        '/v2/batch/operations',
        { operation_kind: 'contacts.bulk_upsert', items: [item] },
        { 'Idempotency-Key': randomUUID() },
      );
      const path = `/v2/batch/operations/${String(batch.body.id)}`;
      expect([how, await whenRun(team, path)]).toMatchObject([how, { failed_count: 1 }]);
      return { how, path };
    }),
  );
  await Promise.all(people.map(({ id }) => erase(team, id)));
  const inputs = await api.db.look(
    (sql) => sql`select from operation_items where team_id = ${team.id} and input is not null`,
  );
  expect(inputs).toEqual([]);
  for (const { how, path } of batches) {
    expect([how, (await team.post(`${path}/retry`)).status]).toEqual([how, 409]);
  }
});

test.concurrent(
  'an erased person who complained receives no message from this team after another import',
  async () => {
    const team = await api.newTeam();
    const email = anAddress();
    const { body: contact } = await team.post(contacts, { unique_id: randomUUID(), email });
    await team.post('/v2/partner/suppressions', {
      ...{ channel: 'email', address: email, reason: 'complaint' },
    });
    await erase(team, contact.id);
    const kept = await api.db.look(
      (sql) => sql`
      select (select count(*)::int from suppressions where team_id = ${team.id}) as plain,
        (select count(*)::int from erased_suppressions where team_id = ${team.id}) as digests`,
    );
    expect(kept).toEqual([{ plain: 0, digests: 1 }]);
    const neighbor = await api.newTeam();
    const theirs = await neighbor.post(contacts, { unique_id: randomUUID(), email });
    expect(theirs.body).toMatchObject({ email_status: 'unknown' });
    const again = await team.post(contacts, { unique_id: randomUUID(), email });
    expect(again.body).toMatchObject({ email_status: 'complained' });
    const { body } = await team.get(`/v2/partner/suppressions?filter[address]=${email}`);
    expect(body.data).toEqual([expect.objectContaining({ reason: 'complaint', channel: 'email' })]);
  },
);

test.concurrent(
  'no opt-out is left of erased contacts, for addresses that they have or had',
  async () => {
    const team = await api.newTeam();
    const [email, former] = [anAddress(), anAddress()];
    const { body: topic } = await team.post('/v2/partner/topics', { name: 'News' });
    const optOut = { status: 'unsubscribed', source: 'unsubscribe_link' };
    const leaves = async (address: string) => {
      const { body } = await team.post(contacts, { unique_id: randomUUID(), email: address });
      const path = `${contacts}/${String(body.id)}`;
      await team.put(`${path}/consents/email`, optOut);
      await team.put(`${path}/topic-consents/${String(topic.id)}/email`, optOut);
      return String(body.id);
    };
    const [first, second] = [await leaves(email), await leaves(former)];
    await team.patch(`${contacts}/${second}`, { email: anAddress() });
    const rows = () =>
      api.db.look(
        (sql) => sql`
        select (select count(*)::int from former_opt_outs where team_id = ${team.id}) as channels,
          (select count(*)::int from former_topic_opt_outs where team_id = ${team.id}) as topics,
          (select count(*)::int from contact_topic_consents where team_id = ${team.id}) as own`,
      );
    expect(await rows()).toEqual([{ channels: 1, topics: 1, own: 2 }]);
    await Promise.all([erase(team, first), erase(team, second)]);
    expect(await rows()).toEqual([{ channels: 0, topics: 0, own: 0 }]);
    for (const address of [email, former]) {
      const later = await team.post(contacts, { email: address });
      expect(later.body.consents.email).toEqual({ status: 'never' });
      const { body } = await team.get(`${contacts}/${String(later.body.id)}/topic-consents`);
      expect(body.topics[0].consents.email).toMatchObject({ is_default: true });
    }
  },
);

test.concurrent(
  'an erasure finds an address in another letter case and in decomposed letters',
  async () => {
    const team = await api.newTeam();
    const inOtherLetters = (text: string) => text.toUpperCase().normalize('NFD');
    const unique_id = `Jürgen.Straße.${randomUUID()}`;
    const email = `${randomUUID()}@bücher.example`;
    const { body: contact } = await team.post(contacts, { unique_id, email });
    await team.post(
      '/v2/partner/suppressions',
      {
        ...{ channel: 'email', address: inOtherLetters(email), reason: 'complaint' },
        note: `of ${inOtherLetters(unique_id)}, ${inOtherLetters(email)}`,
      },
      { 'Idempotency-Key': randomUUID() },
    );
    await erase(team, contact.id);
    const [left] = await api.db.look(
      (sql) => sql`
      select (select count(*)::int from suppressions where team_id = ${team.id}) as plain,
        (select count(*)::int from erased_suppressions where team_id = ${team.id}) as digests,
        (select count(*)::int from idempotency_keys where team_id = ${team.id}
          and (strpos(folded(body), folded(${contact.email})) > 0
            or strpos(folded(body), folded(${email})) > 0
            or strpos(folded(body), folded(${unique_id})) > 0)) as answers`,
    );
    expect(left).toEqual({ plain: 0, digests: 1, answers: 0 });
    const again = await team.post(contacts, { email: inOtherLetters(email) });
    expect(again.body).toMatchObject({ email_status: 'complained' });
  },
);
