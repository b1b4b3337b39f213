import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectDatabase } from '../../src/platform/database/client.ts';
import type { Database } from '../../src/platform/database/client.ts';
import type { Sql } from '../../src/platform/database/sql.ts';
import { forceCustomPlans } from '../../src/platform/database/planner-settings.ts';
import { enroll, lockForEnrollment } from '../../src/journeys/enrollment/enroll.ts';
import { claimIdleLanes } from '../../src/journeys/lanes/queries.ts';
import { releaseSome } from '../../src/journeys/resyncs/move.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { aSendingTemplate } from './a-send.ts';

// A worker plans a statement once, as soon as it starts, and keeps the plan: here, while there are no
// journeys. What it then reads must not grow with the journeys that came.
const journeys = 3_000;
const some = 20;

let api: TestApi;
let team: TestTeam;
let worker: Database;
let template: { id: string };

beforeAll(async () => {
  api = await startTestApi();
  team = await api.newTeam();
  template = await aSendingTemplate(team);
  worker = connectDatabase({
    ...{ url: api.db.url, maxConnections: 1, applicationName: 'tests', reusesPlans: true },
  });
  for (const work of Object.values(works)) await worker.transact(work);
  await enrollAll(await people(journeys));
});
afterAll(async () => {
  await worker.close();
  await api.stop();
});

/** Contacts, made by the database. */
async function people(count: number): Promise<string[]> {
  const made = await api.db.look(
    (sql) => sql<{ id: string }[]>`
      insert into contacts (team_id, id, unique_id, consents)
      select ${team.id}, gen_random_uuid(), gen_random_uuid()::text,
        '{"email": {"status": "never"}, "sms": {"status": "never"}, "push": {"status": "never"}}'
      from generate_series(1, ${count}::int)
      returning id`,
  );
  return made.map(({ id }) => id);
}

async function enrollAll(contactIds: readonly string[]): Promise<void> {
  await api.db.database.transact(async (sql) => {
    await enroll(sql, await lockForEnrollment(sql, team.id, template.id), {
      contactIds,
      via: 'api',
    });
  });
}

const works: Record<string, (sql: Sql) => Promise<unknown>> = {
  async 'enrolling contacts'(sql) {
    const contactIds = await people(some);
    const entered = await lockForEnrollment(sql, team.id, template.id);
    return enroll(sql, entered, { contactIds, via: 'cohort' });
  },
  async 'letting held journeys go on'(sql) {
    await forceCustomPlans(sql);
    const log = createLog('silent', 'worker');
    return releaseSome(sql, log, { team_id: team.id, id: template.id }, some);
  },
  'waking lanes': claimIdleLanes,
};

test.each(Object.keys(works))('%s reads few journeys, however many there are', async (name) => {
  const read = await worker.transact(async (sql) => {
    await works[name]?.(sql);
    const [row] = await sql<{ read: number }[]>`
      select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables
      where relname = 'journeys'`;
    return row?.read;
  });
  expect(read).toBeLessThan(some * 5);
});
