/** Queues by what their work costs, so that one kind cannot take the slots of another. */
export const taskQueues = {
  /** Workflow tasks and short activities. */
  main: 'onward-main',
  /** Lanes: one long activity each. */
  lanes: 'onward-webhook-lanes',
  /** Recoveries: a thousand of them must not take the lanes' slots. */
  recoveries: 'onward-webhook-recoveries',
  /** Lanes of journeys: one long activity each. */
  journeys: 'onward-journeys',
  /**
   * Evaluations of cohorts: heavy statements, few concurrently. Each waits for the transactions of
   * the others before it is settled, so that twenty concurrent ones would never end.
   */
  cohorts: 'onward-cohorts',
  /** Replays: long rounds, few concurrently. */
  replays: 'onward-replays',
  /** Runs of operations: imports must never take the slots of webhooks. */
  operations: 'onward-operations',
  /** Files fetched from servers of partners, and logins at those of providers, which may be slow. */
  fetches: 'onward-file-fetches',
  /** Maintenance: statements of up to a minute, few concurrently. */
  maintenance: 'onward-maintenance',
} as const;
