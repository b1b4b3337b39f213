import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { scrapeMetrics } from '../../src/meta/readiness.ts';
import { useTestApi } from '../support/use-test-api.ts';

const api = useTestApi();

const age = async () =>
  Number(
    /^onward_lane_oldest_due_seconds\{kind="cohort"\} (\S+)$/m.exec(
      await scrapeMetrics(api.db.database),
    )?.[1],
  );

test('the metric shows the age of the oldest waiting change across all teams', async () => {
  expect(await age()).toBe(0);
  for (const seconds of [90, 300, 10]) {
    await api.db.look(
      (sql) => sql`
        insert into cohort_changes (team_id, contact_id, inserted_at)
        values (${randomUUID()}, ${randomUUID()}, now() - make_interval(secs => ${seconds}))`,
    );
  }
  expect(Math.floor((await age()) / 10)).toBe(30);
});
