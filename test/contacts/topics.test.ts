import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { followChanges } from '../../src/cohorts/realtime/follow.ts';
import { evaluateCohort } from '../../src/cohorts/evaluation/evaluate.ts';
import { maxTopics } from '../../src/contacts/topics/topic.ts';
import { eventsOf, subscribe } from '../support/recorded-events.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { Reply, TestTeam } from '../support/api.ts';
import { createLog } from '../../src/platform/observability/log.ts';

const quiet = createLog('silent', 'worker');

const path = '/v2/partner/topics';
const contacts = '/v2/partner/contacts';
const api = useTestApi();
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
  await subscribe(api, team);
});

async function made(at: string, body: object, of = team): Promise<string> {
  const reply = await of.post(at, body);
  if (reply.status !== 201) throw new Error(JSON.stringify(reply.body));
  return String(reply.body.id);
}
const aTopic = (fields: object = {}) => made(path, { name: randomUUID(), ...fields });
const aContact = (fields: object = {}) => made(contacts, { unique_id: randomUUID(), ...fields });
const choose = (
  contact: string,
  topic: string,
  status: string,
  { channel = 'email', ...more }: Record<string, string> = {},
) =>
  team.call('PUT', `${contacts}/${contact}/topic-consents/${topic}/${channel}`, {
    body: { status, source: 'branch', ...more },
  });
async function chosen(contact: string, topic: string): Promise<Record<string, any>> {
  const { body } = await team.get(`${contacts}/${contact}/topic-consents`);
  return body.topics.find(({ topic_id }: any) => topic_id === topic)?.consents;
}
const problemOf = ({ status, body }: Reply) => [
  status,
  body.errors[0].code,
  body.errors[0].meta.pointer,
];

describe('a topic', () => {
  test('is created behind the others, changed, archived, taken back and deleted', async () => {
    const own = await api.newTeam();
    const first = await own.post(path, {
      name: 'Offers',
      description: 'What is new',
      localizations: { de: { name: 'Angebote' } },
    });
    expect([first.status, first.body]).toMatchObject([
      201,
      { type: 'topic', position: 0, default_consent: 'subscribed', is_archived: false },
    ]);
    const second = await made(path, { name: 'Tips', default_consent: 'unsubscribed' }, own);
    const names = async (query = '') =>
      (await own.get(`${path}${query}`)).body.data.map(({ name }: any) => name);
    expect(await names()).toEqual(['Offers', 'Tips']);
    const at = `${path}/${String(first.body.id)}`;
    expect((await own.patch(at, { position: 9, description: null })).body).toMatchObject({
      position: 9,
    });
    expect(await names()).toEqual(['Tips', 'Offers']);
    expect((await own.post(`${at}/archive`)).body).toMatchObject({ is_archived: true });
    expect(problemOf(await own.post(`${at}/archive`))[1]).toBe('invalid_state_transition');
    expect(await names()).toEqual(['Tips']);
    expect(await names('?filter[is_archived]=true')).toEqual(['Offers']);
    expect((await own.post(`${at}/unarchive`)).body).not.toHaveProperty('archived_at');
    expect((await own.delete(`${path}/${second}`)).status).toBe(204);
    expect((await own.get(`${path}/${second}`)).status).toBe(404);
  });

  test('has a name of its own, and a default that is fixed', async () => {
    const name = randomUUID();
    const id = await aTopic({ name });
    expect(problemOf(await team.post(path, { name }))).toEqual([409, 'key_taken', '/name']);
    const other = await aTopic();
    expect(problemOf(await team.patch(`${path}/${other}`, { name }))[1]).toBe('key_taken');
    expect(
      problemOf(await team.patch(`${path}/${id}`, { default_consent: 'unsubscribed' })),
    ).toEqual([422, 'immutable_field', '/default_consent']);
    expect((await team.post(path, { name: 'x'.repeat(81) })).status).toBe(422);
  });

  test('is one of fifty at most', async () => {
    const own = await api.newTeam();
    await api.db.look(
      (sql) => sql`
        insert into topics (team_id, name, position, default_consent)
        select ${own.id}, 'Topic ' || n, n, 'subscribed' from generate_series(1, ${maxTopics}) n`,
    );
    expect(problemOf(await own.post(path, { name: 'More' }))[1]).toBe('quota_exceeded');
  });

  test('cannot be deleted while a message names it, and no other message than marketing may', async () => {
    const topic_id = await aTopic();
    const template = await made('/v2/partner/templates', { name: 'News' });
    const messages = `/v2/partner/templates/${template}/messages`;
    const email = { name: 'News', channel: 'email', topic_id };
    expect(problemOf(await team.post(messages, { ...email, purpose: 'transactional' }))).toEqual([
      422,
      'validation_failed',
      '/topic_id',
    ]);
    const unknown = { ...email, topic_id: randomUUID() };
    expect(problemOf(await team.post(messages, unknown))[2]).toBe('/topic_id');
    const message = await made(messages, email);
    const refused = await team.delete(`${path}/${topic_id}`);
    expect([refused.status, refused.body.errors[0]]).toMatchObject([
      409,
      { code: 'topic_in_use', meta: { message_id: message } },
    ]);
    const { data } = (await team.get(`/v2/partner/messages?filter[topic_id]=${topic_id}`)).body;
    expect(data).toMatchObject([{ id: message, topic_id }]);
    await team.patch(`/v2/partner/messages/${message}`, { topic_id: null });
    expect((await team.delete(`${path}/${topic_id}`)).status).toBe(204);
    const archived = await aTopic();
    await team.post(`${path}/${archived}/archive`);
    const late = await team.patch(`/v2/partner/messages/${message}`, { topic_id: archived });
    expect(problemOf(late)[2]).toBe('/topic_id');
  });
});

describe('a consent to a topic', () => {
  test('is the default of the topic until the contact chooses, with history and event', async () => {
    const [topic, contact] = [await aTopic(), await aContact()];
    expect(await chosen(contact, topic)).toEqual({
      email: { status: 'subscribed', is_default: true },
      sms: { status: 'subscribed', is_default: true },
      push: { status: 'subscribed', is_default: true },
    });
    const reply = await choose(contact, topic, 'unsubscribed', { evidence: 'By telephone' });
    expect([reply.status, reply.headers.get('etag')]).toEqual([200, '"2"']);
    const recorded = { status: 'unsubscribed', source: 'branch', evidence: 'By telephone' };
    expect(await chosen(contact, topic)).toMatchObject({
      email: { ...recorded, is_default: false },
      sms: { is_default: true },
    });
    const again = await choose(contact, topic, 'unsubscribed', { evidence: 'By telephone' });
    expect(again.headers.get('etag')).toBe('"2"');
    await choose(contact, topic, 'subscribed');
    const { data } = (await team.get(`${contacts}/${contact}/topic-consent-changes`)).body;
    expect(data).toMatchObject([
      { topic_id: topic, channel: 'email', consent: { status: 'subscribed' }, previous: recorded },
      { client_id: team.clientId, consent: recorded },
    ]);
    expect(data[1]).not.toHaveProperty('previous');
    const events = (await eventsOf(api, team, contact)).filter(
      ({ type }) => type === 'contact.topic_consent_changed',
    );
    expect(events).toMatchObject([
      { sequence: 2, data: { contact_id: contact, changes: [{ topic_id: topic }] } },
      { sequence: 3, data: { changes: [{ channel: 'email', consent: { status: 'subscribed' } }] } },
    ]);
  });

  test('is refused for an unknown topic or channel, and with an outdated If-Match', async () => {
    const [topic, contact] = [await aTopic(), await aContact()];
    expect((await choose(contact, randomUUID(), 'subscribed')).status).toBe(404);
    expect((await choose(contact, topic, 'subscribed', { channel: 'fax' })).status).toBe(404);
    expect((await choose(contact, topic, 'pending')).status).toBe(422);
    const outdated = await team.call(
      'PUT',
      `${contacts}/${contact}/topic-consents/${topic}/email`,
      { body: { status: 'subscribed', source: 'branch' }, headers: { 'If-Match': '"7"' } },
    );
    expect(outdated.status).toBe(412);
  });

  test('of a merged contact is the stricter one, and a permission needs its address', async () => {
    const [one, two, three] = [await aTopic(), await aTopic(), await aTopic()];
    const winner = await aContact({ email: 'one@example.com' });
    const loser = await aContact({ email: 'two@example.com' });
    await choose(winner, one, 'subscribed');
    await choose(loser, one, 'unsubscribed');
    await choose(loser, two, 'subscribed');
    await choose(loser, two, 'subscribed', { channel: 'push' });
    await choose(winner, three, 'unsubscribed');
    await choose(loser, three, 'subscribed');
    const merged = await team.post(`${contacts}/${winner}/merge`, { source_contact_id: loser });
    expect([merged.status, merged.headers.get('etag')]).toEqual([200, '"5"']);
    expect(await chosen(winner, one)).toMatchObject({ email: { status: 'unsubscribed' } });
    expect(await chosen(winner, two)).toMatchObject({
      email: { is_default: true },
      push: { is_default: false, status: 'subscribed' },
    });
    expect(await chosen(winner, three)).toMatchObject({ email: { status: 'unsubscribed' } });
    const { data } = (await team.get(`${contacts}/${winner}/topic-consent-changes`)).body;
    expect(data).toHaveLength(8);
    const left = await api.db.look(
      (sql) => sql`select from contact_topic_consents where contact_id = ${loser}`,
    );
    expect(left).toEqual([]);
  });

  test('is erased with the contact, and so is its history', async () => {
    const [topic, contact] = [await aTopic(), await aContact()];
    await choose(contact, topic, 'unsubscribed');
    expect((await team.post(`${contacts}/${contact}/erase`)).status).toBe(202);
    const rows = (table: string) =>
      api.db.look((sql) => sql`select from ${sql(table)} where contact_id = ${contact}`);
    expect(await rows('contact_topic_consents')).toEqual([]);
    await api.db.look((sql) => sql`select erase_history(${team.id}, ${[contact]}::uuid[], 100)`);
    expect(await rows('contact_topic_consent_changes')).toEqual([]);
  });

  test('is set for many by the operation, each item with its outcome', async () => {
    const [topic_id, contact_id] = [await aTopic(), await aContact()];
    const item = { contact_id, topic_id, channel: 'sms', status: 'unsubscribed', source: 'import' };
    const call = () =>
      team.post('/v2/ipaas/operations/contacts.set_topic_consent/execute', {
        items: [item, { ...item, topic_id: randomUUID() }, { ...item, contact_id: randomUUID() }],
      });
    const statuses = async () =>
      (await call()).body.results.map(({ status, errors }: any) => [
        status,
        errors?.[0]?.meta.pointer,
      ]);
    expect(await statuses()).toEqual([
      ['updated', undefined],
      ['failed', '/items/1/topic_id'],
      ['failed', '/items/2/contact_id'],
    ]);
    expect((await statuses())[0]).toEqual(['unchanged', undefined]);
    const push = { ...item, channel: 'push', status: 'subscribed' };
    const given = await team.post('/v2/ipaas/operations/contacts.set_topic_consent/execute', {
      items: [push],
    });
    expect(given.body.results[0].status).toBe('updated');
    const { body: changes } = await team.get(`${contacts}/${contact_id}/topic-consent-changes`);
    expect(changes.data.map(({ channel }: any) => channel).sort()).toEqual(['push', 'sms']);
    expect(await chosen(contact_id, topic_id)).toMatchObject({ sms: { status: 'unsubscribed' } });
  });
});

test.each(['subscribed', 'unsubscribed'])(
  'a cohort of contacts by a topic, %s by default, has exactly those with the status in effect',
  async (default_consent) => {
    const own = await api.newTeam();
    const topic_id = await made(path, { name: 'Offers', default_consent }, own);
    const cohort = (status: string) =>
      made(
        '/v2/partner/cohorts',
        {
          ...{ name: status, kind: 'dynamic' },
          definition: { topic_consent: { topic_id, channel: 'email', status } },
        },
        own,
      );
    const cohorts = [await cohort('subscribed'), await cohort('unsubscribed')];
    const people = await Promise.all(
      [0, 1, 2].map(() => made(contacts, { unique_id: randomUUID() }, own)),
    );
    const [yes = '', no = '', silent = ''] = people;
    const put = (id: string, status: string) =>
      own.call('PUT', `${contacts}/${id}/topic-consents/${topic_id}/email`, {
        body: { status, source: 'branch' },
      });
    await put(no, 'unsubscribed');
    const members = () =>
      Promise.all(
        cohorts.map(async (id) => {
          const rows = await api.db.look(
            (sql) => sql<{ contact_id: string }[]>`
              select contact_id from cohort_members where cohort_id = ${id} order by contact_id`,
          );
          return rows.map(({ contact_id }) => contact_id);
        }),
      );
    const now = () => new Date().toISOString();
    for (const id of cohorts) {
      await api.db.database.transact((sql) =>
        evaluateCohort(sql, own.id, id, now(), { isCaughtUp: true }),
      );
    }
    const byDefault = (status: string) => (default_consent === status ? [yes, silent] : []);
    expect(await members()).toEqual([
      byDefault('subscribed').sort(),
      [no, ...byDefault('unsubscribed')].sort(),
    ]);
    await put(yes, 'subscribed');
    await put(no, 'subscribed');
    await api.db.database.transact((sql) => followChanges(sql, quiet, own.id));
    expect(await members()).toEqual([
      [yes, no, ...(default_consent === 'subscribed' ? [silent] : [])].sort(),
      default_consent === 'unsubscribed' ? [silent] : [],
    ]);
  },
);
