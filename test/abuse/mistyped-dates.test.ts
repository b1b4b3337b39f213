import { beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decideDue } from '../../src/journeys/lanes/decide.ts';
import { dueTime } from '../../src/journeys/timing/due-time.ts';
import { earliestMs, latestMs } from '../../src/platform/time/rules.ts';
import { anObjective, templates } from '../campaigns/a-template.ts';
import {
  aReader,
  aSendingTemplate,
  aText,
  anEmail,
  decideTools,
  deliveriesOf,
  enrolled,
} from '../journeys/a-send.ts';
import type { TestTeam } from '../support/api.ts';
import { useTestApi } from '../support/use-test-api.ts';

// A date or an amount of time that a team mistyped is computed together with those of other teams.

const api = useTestApi();
const last = '9999-12-31T23:59:59.999Z';
const beyond = { kind: 'date', date: last, delay: 'P1D' };
let team: TestTeam;

beforeAll(async () => {
  team = await newTeam();
});

async function newTeam(): Promise<TestTeam> {
  const made = await api.newTeam();
  await made.patch('/v2/partner/team', { quiet_hours: null, frequency_cap: null });
  return made;
}

/** Decides over all that is due, in every lane. */
async function decide(): Promise<void> {
  const tools = decideTools(api);
  for (const lane of [0, 1, 2, 3]) {
    await api.db.database.transact((sql) => decideDue(sql, tools, lane, Date.now() + 1_000));
  }
}

/** A launched template whose last message has a date from before dates were bounded. */
async function aTemplateFromBefore(messages: readonly object[] = []) {
  const objective_ids = [await anObjective(team)];
  const { body } = await team.post(templates, { name: 'Welcome', objective_ids });
  for (const message of [...messages, aText]) {
    const made = await team.post(`${templates}/${String(body.id)}/messages`, message);
    expect(made.status).toBe(201);
  }
  await team.db.look(
    (sql) => sql`
      update messages set trigger = ${JSON.stringify(beyond)}::text::jsonb
      where team_id = ${team.id} and template_id = ${String(body.id)} and channel = 'sms'
      returning id`,
  );
  const launched = await team.post(`${templates}/${String(body.id)}/launch`);
  expect(launched.status).toBe(200);
  return { id: String(body.id), version: Number(launched.body.template_version) };
}

async function rowOf(id: string | undefined): Promise<any> {
  const [row] = await api.db.look((sql) => sql`select * from journeys where id = ${id ?? ''}`);
  return row;
}

/** Everything that a client does with a journey, each with its status. */
async function statusesOf(templateId: string, id: string | undefined) {
  const path = `/v2/partner/journeys/${id ?? ''}`;
  const list = `/v2/partner/journeys?filter[template_id]=${templateId}`;
  const replies = [
    await team.get(path),
    await team.get(list),
    await team.get('/v2/partner/journeys'),
    await team.get(`${path}/explain`),
    await team.post(`${path}/pause`),
    await team.post(`${path}/resume`),
    await team.post(`${path}/cancel`),
  ];
  return replies.map(({ status }) => status);
}
const allFine = [200, 200, 200, 200, 200, 200, 200];

test('a step beyond the year 9999 stops no journey of another team', async () => {
  const template = await aTemplateFromBefore();
  const contacts = await Promise.all(Array.from({ length: 8 }, () => aReader(team)));
  const mistyped = await enrolled(team, template, contacts);
  const other = await newTeam();
  const theirs = await aSendingTemplate(other, [anEmail]);
  const readers = await Promise.all(Array.from({ length: 8 }, () => aReader(other)));
  await enrolled(other, theirs, readers);

  await decide();

  const sent = await deliveriesOf(other, theirs.id);
  expect(sent.map(({ status }) => status)).toEqual(readers.map(() => 'queued'));
  for (const id of mistyped) {
    expect(await rowOf(id)).toMatchObject({ status: 'active', next_due_at: last });
  }
});

test('a step beyond the year 9999 behind an earlier one leaves its journey readable', async () => {
  const soon = { ...anEmail, trigger: { kind: 'delay', delay: 'P1D' } };
  const template = await aTemplateFromBefore([soon]);
  const [id] = await enrolled(team, template, [await aReader(team)]);
  await decide();
  expect(Object.values((await rowOf(id)).scheduled_steps)).toContainEqual({ due_at: last });
  expect(await statusesOf(template.id, id)).toEqual(allFine);
});

test('the date of a trigger lies at most ten years ahead, and stays valid once it is stored', async () => {
  const { id } = await aTemplateFromBefore();
  const list = `${templates}/${id}/messages`;
  const draft = await team.post(templates, { name: 'Draft' });
  const message = { ...aText, trigger: beyond };
  const refused = await team.post(`${templates}/${String(draft.body.id)}/messages`, message);
  expect(refused.status).toBe(422);
  expect(refused.body.errors[0]).toMatchObject({
    ...{ code: 'validation_failed', meta: { pointer: '/trigger/date', rule: 'max' } },
  });
  const inNineYears = new Date(Date.now() + 9 * 365 * 86_400_000).toISOString();
  const trigger = { kind: 'date', date: inNineYears, delay: 'P9999W' };
  const taken = { ...aText, trigger };
  const made = await team.post(`${templates}/${String(draft.body.id)}/messages`, taken);
  expect(made.status).toBe(201);

  await team.post(`${templates}/${id}/pause`);
  await team.post(`${templates}/${id}/unlock`);
  const { body } = await team.get(list);
  const again = { trigger: { ...body.data[0].trigger, at_local_time: '09:00' } };
  const changed = await team.patch(`/v2/partner/messages/${String(body.data[0].id)}`, again);
  expect([changed.status, changed.body.errors]).toEqual([200, undefined]);
});

test('no trigger computes a time out of bounds', () => {
  const instants = fc.integer({ min: earliestMs, max: latestMs });
  const edges = fc.constantFrom(earliestMs, latestMs);
  const dates = fc.oneof(edges, instants).map((ms) => new Date(ms).toISOString());
  const zones = fc.constantFrom(
    ...['UTC', 'Pacific/Kiritimati', 'Etc/GMT+12', 'Pacific/Niue', 'Asia/Kathmandu'],
  );
  const timing = fc.record(
    {
      date: dates,
      delay: fc.constantFrom('P9999W', 'P9999D', 'P9999DT9999H9999M', 'PT9999H', 'P0D'),
      at_local_time: fc.constantFrom('00:00', '23:59'),
      weekday_mask: fc.integer({ min: 1, max: 127 }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(timing, fc.oneof(edges, instants), zones, (one, fromMs, zone) => {
      const dueMs = dueTime(one, fromMs, zone);
      return dueMs >= earliestMs && dueMs <= latestMs;
    }),
  );
});
