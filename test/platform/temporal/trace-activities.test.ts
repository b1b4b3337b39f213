import { expect, test } from '@jest/globals';
import { asyncLocalStorage } from '@temporalio/activity';
import { createLog } from '../../../src/platform/observability/log.ts';
import { identifyActivities } from '../../../src/platform/temporal/trace-activities.ts';

test('lines that an activity logs name its workflow and run; other lines do not', () => {
  const lines: string[] = [];
  const log = createLog('info', 'worker', { write: (line: string) => void lines.push(line) });
  identifyActivities();
  const info = {
    activityType: 'runTemplateRound',
    workflowExecution: { workflowId: 'template/1', runId: 'a-run' },
  };
  const context: any = { info };
  log.info({ rows: 1 }, 'before');
  asyncLocalStorage.run(context, () => log.info({ rows: 2 }, 'within'));
  log.info('after');
  const [before, within, after] = lines.map((line) => JSON.parse(line));
  expect(within).toMatchObject({
    ...{ workflow_id: 'template/1', run_id: 'a-run', activity: 'runTemplateRound' },
    ...{ rows: 2, msg: 'within', name: 'worker' },
  });
  expect(within).not.toHaveProperty('trace_id');
  for (const line of [before, after]) expect(line).not.toHaveProperty('workflow_id');
});
