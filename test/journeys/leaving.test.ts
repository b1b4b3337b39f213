import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { evaluateCohort } from '../../src/cohorts/evaluation/evaluate.ts';
import { followChanges } from '../../src/cohorts/realtime/follow.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { aCompleteTemplate, at } from '../campaigns/a-template.ts';
import { eventTypesOf, subscribe } from '../support/recorded-events.ts';
import { createLog } from '../../src/platform/observability/log.ts';

const silent = createLog('silent', 'worker');

const api = useTestApi();
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
  await subscribe(api, team);
});

const contacts = '/v2/partner/contacts';
const cohorts = '/v2/partner/cohorts';
const subscribed = { status: 'subscribed', source: 'branch' };
const unsubscribed = { status: 'unsubscribed', source: 'branch' };
const aContact = async (fields: object = {}): Promise<string> => {
  const made = await team.post(contacts, {
    ...{ unique_id: randomUUID(), email: `${randomUUID()}@example.com`, phone: '+14155550123' },
    consents: { email: subscribed, sms: subscribed },
    ...fields,
  });
  expect(made.status).toBe(201);
  return made.body.id;
};
const email = {
  ...{ name: 'Mail', channel: 'email', subject: 'Hello', body_html: '<p>Hello</p>' },
  from_email: 'bank@example.com',
};
const text = { name: 'Text', channel: 'sms', body: 'Hello' };
/** A launched template with these messages. */
async function aTemplate(messages: readonly object[], fields: object = {}): Promise<string> {
  const id = await aCompleteTemplate(team, fields);
  for (const message of messages) {
    const made = await team.post(at(id, '/messages'), message);
    expect([made.status, made.body.errors]).toEqual([201, undefined]);
  }
  const launched = await team.post(at(id, '/launch'));
  expect([launched.status, launched.body.errors]).toEqual([200, undefined]);
  return id;
}
const enroll = async (template: string, contact_id: string): Promise<string> =>
  (await team.post(at(template, '/enrollments'), { contact_id })).body.id;
const endOf = async (id: string) => {
  const { status, exit_reason } = (await team.get(`/v2/partner/journeys/${id}`)).body;
  const { body: why } = await team.get(`/v2/partner/journeys/${id}/explain`);
  expect([why.journey_status, why.exit_reason]).toEqual([status, exit_reason]);
  return [status, exit_reason ?? null];
};
const open = ['scheduled', null];

describe('a contact that unsubscribes', () => {
  const leave = (contact: string, channel: string) =>
    team.patch(`${contacts}/${contact}`, { consents: { [channel]: unsubscribed } });

  test('leaves a journey without any permitted message', async () => {
    const contact = await aContact();
    const journey = await enroll(await aTemplate([email]), contact);
    await leave(contact, 'email');
    expect(await endOf(journey)).toEqual(['exited', 'unsubscribed']);
    expect(await eventTypesOf(api, team, journey)).toEqual(['journey.enrolled', 'journey.exited']);
  });

  test('stays in a journey with another channel, until that is unsubscribed as well', async () => {
    const contact = await aContact();
    const journey = await enroll(await aTemplate([email, text]), contact);
    await leave(contact, 'email');
    expect(await endOf(journey)).toEqual(open);
    await leave(contact, 'sms');
    expect(await endOf(journey)).toEqual(['exited', 'unsubscribed']);
  });

  test('stays in a journey whose e-mail is not marketing, and in one without messages', async () => {
    const contact = await aContact();
    const servicing = await aTemplate([{ ...email, purpose: 'servicing' }]);
    const ids = [await enroll(servicing, contact), await enroll(await aTemplate([]), contact)];
    await leave(contact, 'email');
    for (const id of ids) expect(await endOf(id)).toEqual(open);
  });

  test('leaves by an operation of the catalog as well', async () => {
    const unique_id = randomUUID();
    const journey = await enroll(await aTemplate([text]), await aContact({ unique_id }));
    const items = [{ unique_id, consents: { sms: unsubscribed } }];
    const path = '/v2/ipaas/operations/contacts.bulk_upsert/execute';
    const { body } = await team.post(path, { items }, { 'Idempotency-Key': randomUUID() });
    expect(body.summary).toMatchObject({ succeeded: 1 });
    expect(await endOf(journey)).toEqual(['exited', 'unsubscribed']);
  });
});

test('a contact that is suppressed leaves its journeys, one whose address is suppressed does not', async () => {
  const template = await aTemplate([email]);
  const [everywhere, address] = [await aContact(), `${randomUUID()}@example.com`];
  const ids = [await enroll(template, everywhere)];
  ids.push(await enroll(template, await aContact({ email: address })));
  const suppressions = '/v2/partner/suppressions';
  const made = [
    await team.post(suppressions, { channel: 'all', contact_id: everywhere }),
    await team.post(suppressions, { channel: 'email', address }),
  ];
  expect(made.map(({ status }) => status)).toEqual([201, 201]);
  expect(await Promise.all(ids.map(endOf))).toEqual([['exited', 'suppressed'], open]);
});

/** As if the cohort had brought the journey. */
const setCohort = (journey: string, cohort: string) =>
  api.db.look(
    (sql) => sql`
      update journeys set cohort_id = ${cohort}
      where team_id = ${team.id} and id = ${journey} returning id`,
  );

describe('a contact that leaves the cohort that brought it', () => {
  /** An open journey that the cohort brought, and what takes its contact out. */
  async function brought(fields: object) {
    const [contact, template] = [await aContact(), await aTemplate([], fields)];
    const made = await team.post(cohorts, { name: randomUUID(), kind: 'static' });
    const cohort = String(made.body.id);
    const change = (verb: string) =>
      team.post(`${cohorts}/${cohort}/members/${verb}`, { contact_ids: [contact] });
    await change('add');
    const journey = await enroll(template, contact);
    await setCohort(journey, cohort);
    return { journey, leave: () => change('remove') };
  }

  test('leaves its journey if the template sets exit_on_leaving_cohort', async () => {
    const { journey, leave } = await brought({ exit_on_leaving_cohort: true });
    expect(await endOf(journey)).toEqual(open);
    await leave();
    expect(await endOf(journey)).toEqual(['exited', 'left_cohort']);
  });

  test.each(['an evaluation', 'a change that the cohort follows'])(
    'leaves its journey by %s',
    async (way) => {
      const [contact, template] = [
        await aContact({ first_name: 'Ada' }),
        await aTemplate([], { exit_on_leaving_cohort: true }),
      ];
      const definition = { field: 'contact.first_name', op: 'eq', value: 'Ada' };
      const made = await team.post(cohorts, { name: randomUUID(), kind: 'dynamic', definition });
      const cohort = String(made.body.id);
      const evaluate = () => {
        const now = new Date().toISOString();
        return api.db.database.transact((sql) =>
          evaluateCohort(sql, team.id, cohort, now, { isCaughtUp: true }),
        );
      };
      await evaluate();
      const journey = await enroll(template, contact);
      await setCohort(journey, cohort);
      await team.patch(`${contacts}/${contact}`, { first_name: 'Bea' });
      if (way === 'an evaluation') await evaluate();
      else await api.db.database.transact((sql) => followChanges(sql, silent, team.id));
      expect(await endOf(journey)).toEqual(['exited', 'left_cohort']);
    },
  );

  test('stays in its journey if the template does not set it', async () => {
    const { journey, leave } = await brought({});
    await leave();
    expect(await endOf(journey)).toEqual(open);
  });
});
