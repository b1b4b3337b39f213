import { expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { useService } from '../support/use-service.ts';
import { recordHistory } from '../support/histories.ts';
import { auditSealing } from '../../workflows/schedules.ts';

const { api, temporal } = useService();

test('the schedule seals committed lines, and its run reports their number', async () => {
  const team = await api.newTeam();
  await team.post('/v2/partner/users', { email: 'ada@example.com' });
  const schedule = temporal.client.schedule.getHandle(auditSealing.id);
  await eventually(
    () =>
      schedule.trigger().then(
        () => true,
        () => false,
      ),
    Boolean,
  );
  const [seal] = await eventually(
    () =>
      api.db.look(
        (sql) => sql<{ number: number }[]>`
        select number from audit_seals where team_id = ${team.id}`,
      ),
    (seals) => seals.length > 0,
  );
  expect(seal?.number).toBe(1);
  const [action] = (await schedule.describe()).info.recentActions;
  if (action?.action.type !== 'startWorkflow') throw new Error('the schedule starts no workflow');
  const run = temporal.handleOf(action.action.workflow.workflowId);
  const { events, teams } = await run.result();
  expect(events).toBeGreaterThanOrEqual(teams);
  await recordHistory(run, 'run-schedule/scheduled');
});
