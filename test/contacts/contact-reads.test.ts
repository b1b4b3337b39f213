import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import type { TestTeam } from '../support/api.ts';
import { maintain } from '../support/maintenance.ts';
import { useTestApi } from '../support/use-test-api.ts';

const api = useTestApi();
const path = '/v2/partner/contact-reads';
let team: TestTeam;

beforeEach(async () => {
  team = await api.newTeam();
});

const keepLog = (days: number | undefined) =>
  team.patch('/v2/partner/team', {
    retention: days === undefined ? null : { contact_reads_days: days },
  });
const newContact = async () => {
  const { body } = await team.post('/v2/partner/contacts', { unique_id: randomUUID() });
  return String(body.id);
};

/** The log, as operations by contact. */
async function logged(query = ''): Promise<Record<string, string[]>> {
  const { body } = await team.get(`${path}?meta=count${query}`);
  const log: Record<string, string[]> = {};
  for (const { contact_id, operation } of body.data) {
    log[contact_id] = [...(log[contact_id] ?? []), operation].sort();
  }
  return log;
}

/** A client that comes after a change of the settings, which others see within five seconds. */
const newReader = () =>
  team.withScopes('partner:contacts:read', 'partner:contacts:write', 'partner:audit:read');

test('a team without a term has no log', async () => {
  const id = await newContact();
  await team.get(`/v2/partner/contacts/${id}`);
  expect(await logged()).toEqual({});
});

test('the log names each contact that an answer shows to a client, once an hour', async () => {
  const [one, other] = [await newContact(), await newContact()];
  await keepLog(30);
  const reader = await newReader();
  for (let count = 0; count < 2; count += 1) await reader.get(`/v2/partner/contacts/${one}`);
  await reader.get('/v2/partner/contacts');
  expect(await logged()).toEqual({
    [one]: ['getContact', 'listContacts'],
    [other]: ['listContacts'],
  });
  const { body } = await reader.get(
    `${path}?filter[contact_id]=${one}&filter[client_id]=${reader.clientId}`,
  );
  const [line] = body.data;
  expect(line).toMatchObject({
    type: 'contact_read',
    client_id: reader.clientId,
    team_id: team.id,
  });
  const days = (Date.parse(line.expires_at) - Date.parse(line.read_at)) / 86_400_000;
  expect(days).toBe(30);
});

test('parts of a contact, empty parts and answers to writes count as well', async () => {
  const id = await newContact();
  await keepLog(1);
  const reader = await newReader();
  for (const part of ['accounts', 'devices'])
    await reader.get(`/v2/partner/contacts/${id}/${part}`);
  await reader.patch(`/v2/partner/contacts/${id}`, {});
  const key = { 'idempotency-key': 'once' };
  const made = await reader.post('/v2/partner/contacts', { unique_id: 'bo' }, key);
  await api.db.look((sql) => sql`delete from contact_reads where operation = 'createContact'`);
  await reader.post('/v2/partner/contacts', { unique_id: 'bo' }, key);
  expect(await logged()).toEqual({
    [id]: ['listContactAccounts', 'listContactDevices', 'updateContact'],
    [made.body.id]: ['createContact'],
  });
});

test('a list of something else counts for each contact that it names', async () => {
  const [member, stranger] = [await newContact(), await newContact()];
  const cohorts = '/v2/partner/cohorts';
  const { body: cohort } = await team.post(cohorts, { name: 'Few', kind: 'static' });
  await team.post(`${cohorts}/${cohort.id}/members/add`, { contact_ids: [member] });
  await keepLog(1);
  const reader = await team.withScopes('partner:cohorts:read', 'partner:contacts:read');
  await reader.get(`${cohorts}/${cohort.id}/members`);
  await reader.get(`${cohorts}/${cohort.id}/members/${stranger}/explain`);
  expect(await logged()).toEqual({
    [member]: ['listCohortMembers'],
    [stranger]: ['explainCohortMember'],
  });
});

test('requests that are refused are not in the log', async () => {
  const id = await newContact();
  await keepLog(1);
  const blind = await team.withScopes('partner:audit:read');
  await blind.get(`/v2/partner/contacts/${id}`);
  const stranger = await api.newTeam();
  await stranger.get(`/v2/partner/contacts/${id}`);
  expect(await logged()).toEqual({});
});

test('an answer that cannot be recorded is not sent', async () => {
  const id = await newContact();
  await keepLog(1);
  const reader = await newReader();
  await api.db.look((sql) => sql`alter table contact_reads rename to contact_reads_away`);
  try {
    expect((await reader.get(`/v2/partner/contacts/${id}`)).status).toBe(500);
  } finally {
    await api.db.look((sql) => sql`alter table contact_reads_away rename to contact_reads`);
  }
});

test('a line goes when its term has ended, also when the log is switched off', async () => {
  const [one, other] = [await newContact(), await newContact()];
  await keepLog(1);
  const reader = await newReader();
  for (const id of [one, other]) await reader.get(`/v2/partner/contacts/${id}`);
  await keepLog(undefined);
  await api.db.look(
    (sql) => sql`update contact_reads set expires_at = now() where contact_id = ${one}`,
  );
  await maintain(api.db.database, 'contact-reads');
  expect(await logged()).toEqual({ [other]: ['getContact'] });
});
