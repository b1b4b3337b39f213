/** A question of operators, as a query of the Temporal UI. */
export interface View {
  name: string;
  query: string;
}

/** Queries for the list of workflows; of one team where it is given. */
export function viewsOf(teamId?: string): View[] {
  const team = teamId === undefined ? '' : ` AND TeamId="${teamId}"`;
  return questions.map(({ name, query }) => ({ name, query: `${query}${team}` }));
}

const batch = 'WorkflowType="runOperation" AND WorkflowId STARTS_WITH "batch/"';

const questions: readonly View[] = [
  {
    name: 'webhooks in trouble now',
    query: 'WorkflowType="recoverWebhookSubscription" AND ExecutionStatus="Running"',
  },
  {
    name: 'webhooks given up or disabled',
    query: 'WorkflowType="recoverWebhookSubscription" AND Outcome IN ("given_up", "disabled")',
  },
  {
    name: 'failed batches',
    query: `${batch} AND Outcome IN ("failed", "succeeded_with_errors")`,
  },
  { name: 'batches under way', query: `${batch} AND ExecutionStatus="Running"` },
  { name: 'failed exports', query: 'WorkflowType="writeExport" AND ExecutionStatus="Failed"' },
  {
    name: 'failed fetches of files',
    query: 'WorkflowType="fetchFile" AND ExecutionStatus="Failed"',
  },
  {
    name: 'callbacks given up',
    query: 'WorkflowType="projectInbound" AND Outcome="given_up"',
  },
  {
    name: 'campaigns under way',
    query: 'WorkflowType="runTemplate" AND ExecutionStatus="Running"',
  },
  {
    name: 'journeys watched or overdue',
    query: 'WorkflowType="watchJourney" AND ExecutionStatus="Running"',
  },
  {
    name: 'failed or terminated',
    query: 'ExecutionStatus IN ("Failed", "Terminated", "TimedOut")',
  },
];
