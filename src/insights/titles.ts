import type { TSchema } from 'typebox';

/** Labels of figures whose names do not say them in words, or not in every insight. */
const labels: Readonly<Record<string, string>> = {
  'added-value-by-time.total_value_cents': 'Value that journeys led to',
  'added-value-by-time.value_cents': 'Value that journeys led to',
  'campaign-performance.value_cents': 'Value that these journeys led to',
  'objective-total-value.total_value_cents': 'Value of all completions',
  'objective-total-value.value_cents': 'Value of all completions',
  'performance.value_cents': 'Value of all completions',
  api: 'API',
  archived_in_period: 'Archived in the period',
  attributed_accounts: 'Accounts that a campaign led to',
  attributed_balance_cents: 'Balance that a campaign led to',
  attributed_value_cents: 'Value that a campaign led to',
  average_balance_cents: 'Average balance',
  balance_cents: 'Balance',
  baseline: 'All contacts',
  by_factor: 'By factor',
  by_instance: 'By widget',
  by_variant: 'By variant',
  ci95: 'Confidence interval (95 %)',
  click_to_open_rate: 'Clicks per open',
  completions_last_touch: 'Completions after the last touch',
  condition_false: 'Condition was false',
  confirmed_double_opt_in: 'Opt-ins confirmed by e-mail',
  contacts_with: 'Contacts with it',
  contacts_without: 'Contacts without it',
  cta_clicks: 'Clicks on the button',
  cumulative_value_cents: 'Value so far',
  current: 'This period',
  deadline_passed: 'Deadline had passed',
  email: 'E-mail',
  expired_in_period: 'Expired in the period',
  exposed: 'Contacts who met it',
  exposed_rate: 'Completion rate of those who met it',
  frequency_cap: 'Frequency cap was reached',
  gap: 'Contacts without it',
  gap_rate: 'Share without it',
  holdout: 'Held out, for comparison',
  ios: 'iOS',
  ipaas: 'Integration',
  launched_in_period: 'Launched in the period',
  lift: 'Lift',
  lift_pp: 'Lift in percentage points',
  loads: 'Times it was loaded',
  median_days_to_complete: 'Median days to complete',
  median_seconds_to_pass: 'Median seconds to pass',
  minimum_sample: 'Smallest sample that is evaluated',
  minimum_teams: 'Fewest teams that are compared',
  missing_address: 'No address',
  no_consent: 'No consent',
  objective_completed: 'Objective was completed already',
  objectives_completed: 'Objectives completed',
  opened_balance_cents: 'Balance of opened accounts',
  opened_machine: 'Opened by programs',
  opt_in_rate: 'Opt-ins per load',
  opt_ins: 'Opt-ins',
  opt_outs: 'Opt-outs',
  p90_days: 'Days until nine of ten completed',
  peer_p25: 'Other teams, lowest quarter',
  peer_p50: 'Other teams, median',
  peer_p75: 'Other teams, highest quarter',
  percentile: 'Percentile among other teams',
  potential_value_cents: 'Value if all of them complete it',
  previous: 'The period before',
  quiet_hours_expired: 'Quiet hours lasted too long',
  reenrolled: 'Enrolled once more',
  sample_teams: 'Teams that are compared',
  sender_not_verified: 'Sender is not verified',
  skipped_by_reason: 'Not sent because of',
  sms: 'SMS',
  team_rate: 'Your team',
  template_paused_stale: 'Template was paused too long',
  topic_unsubscribed: 'Unsubscribed from the topic',
  total_balance_cents: 'Balance in total',
  total_completions: 'Completions in total',
  total_enrolled: 'Enrolled in total',
  total_value_cents: 'Value in total',
  unexposed_rate: 'Completion rate of the others',
  unit_value_cents: 'Value of one completion',
  value_cents: 'Value',
  value_cents_per_enrolled: 'Value per enrolled contact',
};

/** The schema of an insight, in which every field has a title for people, on every level. */
export function withTitles(insight: string, schema: TSchema): unknown {
  const titleOf = (name: string) =>
    labels[`${insight}.${name}`] ??
    labels[name] ??
    name.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase());

  function titled(part: unknown): unknown {
    if (Array.isArray(part)) return part.map(titled);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(
      Object.entries(part).map(([keyword, value]) => [
        keyword,
        keyword === 'properties' ? namedFields(value) : nested.has(keyword) ? titled(value) : value,
      ]),
    );
  }

  function namedFields(properties: unknown): unknown {
    if (typeof properties !== 'object' || properties === null) return properties;
    return Object.fromEntries(
      Object.entries(properties).map(([name, field]) => {
        const inner = titled(field);
        return [name, typeof inner === 'object' ? { ...inner, title: titleOf(name) } : inner];
      }),
    );
  }

  return titled(schema);
}

/** Keywords that contain schemas. */
const nested = new Set(['anyOf', 'allOf', 'items', 'additionalProperties']);
