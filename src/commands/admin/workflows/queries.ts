import type { Sql } from '../../../platform/database/sql.ts';

/** Rows whose workflows sleep for long, by the key of their workflow. Others are found in a minute. */
const underWay = {
  template: `select id as key, team_id from templates
    where status in ('scheduled', 'launched', 'paused') and deleted_at is null`,
  journey: 'select journey_id as key, team_id from journey_watches',
  cohort: `select id as key, team_id from cohorts
    where next_evaluation_at is not null and deleted_at is null`,
  sending_domain: 'select id as key, team_id from sending_domains where deleted_at is null',
  webhook_recovery: `select subscription_id as key, team_id from webhook_subscription_states
    where owned_by_recovery`,
  inbound: `select distinct receiver_id as key, team_id from inbound_deliveries
    where next_attempt_at is not null and day > current_date - 3`,
} as const;

type SleepingWorkflow = keyof typeof underWay;

export const sleepingWorkflows: readonly SleepingWorkflow[] = [
  'template',
  'journey',
  'cohort',
  'sending_domain',
  'webhook_recovery',
  'inbound',
];

/** Signals the workflow of each such row, which starts those that are missing; returns how many. */
export async function signalSleeping(sql: Sql, workflow: SleepingWorkflow): Promise<number> {
  const rows = await sql`
    insert into workflow_outbox (workflow, key, team_id)
    select ${workflow}, found.key, found.team_id from (${sql.unsafe(underWay[workflow])}) found
    /* any team: an operator reconciles all */`;
  return rows.count;
}
