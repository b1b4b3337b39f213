import type { Finding } from './findings.ts';

export interface Excuse {
  /** Finds the statements in their form without values. */
  shape: RegExp;
  kinds: readonly Finding['kind'][];
  reason: string;
}

/** Statements that grow with their tables, or whose plans only seem to. */
export const excuses: readonly Excuse[] = [
  {
    shape: /^select count\(\*\)|^select coalesce\(count/,
    kinds: ['cost', 'sort'],
    reason: 'a count reads what it counts',
  },
  {
    shape: /\b(?:contact_id|unique_id|id) between ([\w."]+) and \1/,
    kinds: ['cost'],
    reason: 'the planner takes a range between two equal values for half a percent of a team',
  },
  {
    shape: /^delete from (accounts|contact_devices|idempotency_keys|inbound_raw|suppressions)\b/,
    kinds: ['cost', 'sort', 'scan'],
    reason: 'an erasure looks through all of a team, in the background',
  },
  {
    shape: /^delete from mailbox_messages|^update operation_items i set output = null/,
    kinds: ['cost', 'sort', 'scan'],
    reason: 'an erasure or the maintenance looks through all that may go, in the background',
  },
  {
    shape: /^update inbound_deliveries set body_sha256 = null|raw_id from inbound_deliveries d/,
    kinds: ['cost', 'sort', 'scan'],
    reason: 'an erasure looks through the callbacks of a team, in the background',
  },
  {
    shape: /^select r\.day, r\.id, r\.sealed_callback from inbound_raw/,
    kinds: ['cost', 'sort', 'scan'],
    reason: 'an erasure looks through the callbacks of a team, in the background',
  },
  {
    shape: /^update contact_devices set contact_id/,
    kinds: ['cost'],
    reason: 'a merge looks for deleted devices too, which no index has',
  },
  {
    shape: /^with moved as materialized \( select coalesce\(meant\.id, m\.contact_id\)/,
    kinds: ['cost', 'sort', 'scan'],
    reason: 'the evaluation of a cohort reads all contacts of a team',
  },
  {
    shape:
      /^select (a\.kind as key|d\.message_id, d\.template_id, d\.channel, m\.name|d\.skip_reason|factor|is_holdout|width_bucket)|^with (begun|each_once|eligible|events|open|opened|touches) as/,
    kinds: ['cost', 'sort', 'scan'],
    reason: 'an insight sums the rows of its period; the schedule computes long ones',
  },
  {
    shape: /^select t\.id from contacts t .* and exists \(select from journeys j/,
    kinds: ['cost'],
    reason: 'the preview of a cohort reads contacts until it has a sample',
  },
  {
    shape: /^delete from \w+ where \([\w, ]+\) in \( ?select/,
    kinds: ['cost', 'scan', 'sort'],
    reason: 'the maintenance deletes a chunk of what has expired, hourly',
  },
  {
    shape: /^select id, payload from inbound_deliveries/,
    kinds: ['cost'],
    reason: 'it looks for a page of ids in each of 90 days, by key',
  },
  {
    shape: /^select coalesce\(min\(days\.day\)/,
    kinds: ['cost'],
    reason: 'each day looks at its own partition when it runs; the plan counts all for each',
  },
  {
    shape: /from message_deliveries where .*inserted_at = any/,
    kinds: ['cost'],
    reason: 'only the months of the moments are read when it runs; the plan counts all',
  },
  {
    shape: /^select distinct receiver_id, team_id from inbound_deliveries where next_attempt_at/,
    kinds: ['cost', 'sort'],
    reason: 'the index has what waits only, of which the planner takes a third of all rows',
  },
  {
    shape: /^select t\.id, t\.team_id, t\.surface from operation_runs t/,
    kinds: ['cost'],
    reason: 'it reads open runs, of which a team has a bounded number',
  },
  {
    shape: /^select team_id, template_id as id from journey_resyncs/,
    kinds: ['cost', 'sort', 'scan'],
    reason: 'a row for each template whose journeys are being changed, and removed then',
  },
  {
    shape: /^update webhook_subscription_states s set owned_by_recovery = true/,
    kinds: ['cost', 'sort', 'scan'],
    reason: 'the reconciler compares all subscriptions, every five seconds in each worker',
  },
];
