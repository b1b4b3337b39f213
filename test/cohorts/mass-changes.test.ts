import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';

const api = useTestApi();

const path = '/v2/partner/cohorts';
async function aCohort(team: TestTeam, body: object): Promise<string> {
  const { status, body: cohort } = await team.post(path, { name: randomUUID(), ...body });
  expect(status).toBe(201);
  return String(cohort.id);
}
const addMembers = (team: TestTeam, cohort: string, count: number) =>
  team.db.look(
    (sql) => sql`
      insert into cohort_members (team_id, cohort_id, contact_id)
      select ${team.id}, ${cohort}, gen_random_uuid() from generate_series(1, ${count}::int)`,
  );
const recorded = async (team: TestTeam) => {
  const [row] = await team.db.look<{ changes: number; signaled: string[] }>(
    (sql) => sql`
      select (select count(*)::int from cohort_changes where team_id = ${team.id}) as changes,
        (select array_agg(key::text) from workflow_outbox
          where team_id = ${team.id} and workflow = 'cohort') as signaled`,
  );
  return row;
};

test('more than 5000 new members cause a full evaluation of the cohorts that name theirs', async () => {
  const team = await api.newTeam();
  const list = await aCohort(team, { kind: 'static' });
  const definition = { cohort: { id: list, member: true } };
  const follower = await aCohort(team, { kind: 'dynamic', definition });
  await team.db.look(
    (sql) => sql`
      with signals as (delete from workflow_outbox where team_id = ${team.id})
      update cohorts set evaluation_status = 'ready', next_evaluation_at = null
      where team_id = ${team.id} and id = ${follower}`,
  );
  await addMembers(team, list, 5000);
  expect(await recorded(team)).toEqual({ changes: 5000, signaled: null });
  await addMembers(team, list, 5001);
  expect(await recorded(team)).toEqual({ changes: 5000, signaled: [follower] });
  const { body } = await team.get(`${path}/${follower}`);
  expect(body.evaluation_status).toBe('queued');
});
