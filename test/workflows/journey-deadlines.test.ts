import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { noteMoved, requestResync, claimResync } from '../../src/journeys/resyncs/queries.ts';
import { aLaunchedTemplate, at, inHours } from '../campaigns/a-template.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startTestWorker } from '../support/worker.ts';
import type { TestWorker } from '../support/worker.ts';

let api: TestApi;
let team: TestTeam;
let worker: TestWorker;
beforeAll(async () => {
  api = await startTestApi();
  team = await api.newTeam();
  worker = await startTestWorker(api);
});
afterAll(async () => {
  await worker.close();
  await api.stop();
});

const aContact = async (): Promise<string> =>
  (await team.post('/v2/partner/contacts', { unique_id: randomUUID() })).body.id;
const journeysOf = async (template: string): Promise<any[]> =>
  (await team.get(at(template, '/journeys?sort=enrolled_at'))).body.data;

test('a change of the deadline updates the journeys, and an enrollment does not', async () => {
  const made = await team.post('/v2/partner/cohorts', { name: randomUUID(), kind: 'static' });
  const template = await aLaunchedTemplate(team, {
    entry: 'on_cohort_entry',
    target_cohort_ids: [made.body.id],
  });
  const come = async (count: number) => {
    const path = `/v2/partner/cohorts/${String(made.body.id)}/members/add`;
    await team.post(path, { contact_ids: [await aContact()] });
    return eventually(
      () => journeysOf(template),
      (journeys) => journeys.length === count,
    );
  };
  await come(1);
  // A value of no request, so that an update of it is visible.
  const mark = inHours(500);
  await api.db.look(
    (sql) => sql`update journeys set deadline_at = ${mark} where team_id = ${team.id}`,
  );
  const both = await come(2);
  expect(both.map((journey) => journey.deadline_at).toSorted()).toEqual([mark, undefined]);

  const deadline_at = inHours(48);
  expect((await team.patch(at(template), { deadline_at })).status).toBe(200);
  await eventually(
    () => journeysOf(template),
    (journeys) => journeys.every((journey) => journey.deadline_at === deadline_at),
  );
});

test('a round continues after the journeys of the previous one, until the deadline changes again', async () => {
  const place = { team_id: team.id, id: randomUUID() };
  const touched = () => api.db.database.transact((sql) => claimResync(sql, place));
  const ask = () => api.db.database.transact((sql) => requestResync(sql, place.team_id, place));
  const note = (revision: number, deadline_cursor: string | null) =>
    api.db.database.transact((sql) => noteMoved(sql, place, { revision, deadline_cursor }));
  const [begin, middle] = ['00000000-0000-0000-0000-000000000000', randomUUID()];
  expect(await touched()).toBeUndefined();
  await ask();
  expect(await touched()).toEqual({ revision: 1, deadline_cursor: begin });
  await note(1, middle);
  expect(await touched()).toEqual({ revision: 1, deadline_cursor: middle });
  await ask();
  // The round that was under way ends after it.
  await note(1, null);
  expect(await touched()).toEqual({ revision: 2, deadline_cursor: begin });
  await note(1, null);
  expect(await touched()).toEqual({ revision: 2, deadline_cursor: begin });
  await note(2, null);
  expect(await touched()).toEqual({ revision: 2, deadline_cursor: null });
});
