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
   * Evaluations of cohorts: heavy statements, few at once. Each waits for the transactions of the
   * others before it counts as settled, so that twenty at once would never see an end.
   */
  cohorts: 'onward-cohorts',
  /** Replays: long rounds, few at once. */
  replays: 'onward-replays',
  /** Runs of operations: imports must never take the slots of webhooks. */
  operations: 'onward-operations',
  /** Files fetched from servers of partners, which may be slow. */
  fetches: 'onward-file-fetches',
  /** Maintenance: statements of up to a minute, few at once. */
  maintenance: 'onward-maintenance',
} as const;
