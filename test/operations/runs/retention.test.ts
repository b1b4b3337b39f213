import { expect, test } from '@jest/globals';
import { pruneRuns } from '../../../src/operations/runs/running/queries.ts';
import { useTestApi } from '../../support/use-test-api.ts';

const api = useTestApi();

test('expired results are deleted chunk by chunk, and their runs 90 days later', async () => {
  const team = await api.newTeam();
  await team.db.look(
    (sql) => sql`
      with run as (
        insert into operation_runs
          (team_id, surface, operation_kind, status, failure_mode, source, expires_at)
        select ${team.id}, 'batch', 'contacts.bulk_upsert', 'succeeded', 'partial_ok', 'inline',
          now() + n * interval '1 day'
        from generate_series(-1, 1, 2) n
        returning id
      )
      insert into operation_items (team_id, run_id, index, status)
      select ${team.id}, id, at, 'created' from run, generate_series(0, 4) at`,
  );
  const prune = () => api.db.database.read((sql) => pruneRuns(sql, 3));
  const kept = async () => {
    const [row] = await team.db.look<{ items: number; pruned: number; runs: number }>(
      (sql) => sql`
        select (select count(*)::int from operation_items where team_id = ${team.id}) as items,
          count(pruned_at)::int as pruned, count(*)::int as runs
        from operation_runs where team_id = ${team.id}`,
    );
    return row;
  };
  expect(await prune()).toBe(3);
  expect(await kept()).toEqual({ items: 7, pruned: 0, runs: 2 });
  await prune();
  expect(await kept()).toEqual({ items: 5, pruned: 1, runs: 2 });
  await team.db.look(
    (sql) => sql`
      update operation_runs set pruned_at = now() - interval '91 days'
      where team_id = ${team.id} and pruned_at is not null`,
  );
  await prune();
  expect(await kept()).toEqual({ items: 5, pruned: 0, runs: 1 });
  expect(await prune()).toBe(0);
});
