import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { aReader, aSendingTemplate } from '../journeys/a-send.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startTemporalFront } from '../support/temporal-front.ts';
import type { TemporalFront } from '../support/temporal-front.ts';
import { startTestWorker } from '../support/worker.ts';
import type { TestWorker } from '../support/worker.ts';
import { inTime } from './poison.ts';
import { jobId } from '../../src/platform/jobs/shape.ts';
import { templateJob } from '../../workflows/jobs.ts';

let api: TestApi;
let front: TemporalFront;
let worker: TestWorker;

beforeAll(async () => {
  api = await startTestApi();
  front = await startTemporalFront();
  worker = await startTestWorker(api, {
    temporal: { temporalAddress: front.address, temporalProfile: {} },
  });
});
afterAll(async () => {
  await worker.close();
  front.close();
  await api.stop();
});

const entriesOf = (team: TestTeam) =>
  api.db.look<{ key: string }>(
    (sql) => sql`select key from workflow_outbox where team_id = ${team.id}`,
  );
const setAside = (loop: string, team: TestTeam) =>
  api.db.look<{ team_id: string; attempts: number }>(
    (sql) => sql`
      select team_id, attempts from parked_rows where loop = ${loop} and team_id = ${team.id}`,
  );

test('a signal that Temporal refuses waits; the workflows of others are signaled', async () => {
  const refuse = (id: string) => {
    front.refuseSignals(jobId(templateJob, id));
    return Promise.resolve();
  };
  const { harmed, refused } = await inTime('outbox', refuse, async (spoil, watch) => {
    const [harmed, others] = [await api.newTeam(), await api.newTeam()];
    const deadline_at = new Date(Date.now() + 86_400_000).toISOString();
    const refused = await aSendingTemplate(harmed, undefined, { deadline_at });
    const accepted = await aSendingTemplate(others, undefined, { deadline_at });
    await eventually(
      async () => [...(await entriesOf(harmed)), ...(await entriesOf(others))],
      (entries) => entries.length === 0,
    );
    const contact_id = await aReader(others);

    await spoil(refused.id);
    watch.start();
    // In one statement: only beside a signal that it accepts is one of Temporal's refusals about it.
    await api.db.look(
      (sql) => sql`
        insert into workflow_outbox (team_id, workflow, key)
        values (${harmed.id}, 'template', ${refused.id}), (${others.id}, 'template', ${accepted.id})`,
    );
    const path = `/v2/partner/templates/${accepted.id}/enrollments`;
    const { body } = await others.post(path, { contact_id });
    await eventually(
      async () => (await others.get(`/v2/partner/journeys/${String(body.id)}`)).body,
      ({ status }) => status === 'active' || status === 'completed',
    );
    await eventually(
      () => entriesOf(others),
      (entries) => entries.length === 0,
    );
    watch.stop();
    return { harmed, refused };
  });
  await eventually(
    () => setAside('outbox', harmed),
    (rows) => rows.length > 0,
  );
  expect(await setAside('outbox', harmed)).toEqual([{ team_id: harmed.id, attempts: 1 }]);
  expect(await entriesOf(harmed)).toEqual([{ key: refused.id }]);

  front.refuseSignals();
  await api.db.look(
    (sql) => sql`update workflow_outbox set claimed_until = now() where team_id = ${harmed.id}`,
  );
  await eventually(
    () => entriesOf(harmed),
    (entries) => entries.length === 0,
  );
});
