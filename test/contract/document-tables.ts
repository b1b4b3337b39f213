import { expect } from '@jest/globals';

/** The tables of the interface document, as far as their resources exist. */

export type Check = (value: unknown) => boolean;
type Table = Readonly<Record<string, { check: Check; required: boolean }>>;

export const isString: Check = (value) => typeof value === 'string';
export const isInteger: Check = (value) => Number.isSafeInteger(value);
export const isBoolean: Check = (value) => typeof value === 'boolean';
const isId: Check = (value) =>
  typeof value === 'string' &&
  /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(value);
export const isTimestamp: Check = (value) =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) &&
  !Number.isNaN(Date.parse(value));
const isOneOf =
  (...values: string[]): Check =>
  (value) =>
    typeof value === 'string' && values.includes(value);
export const isListOf =
  (item: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(item);
export const must = (check: Check) => ({ check, required: true });
const may = (check: Check) => ({ check, required: false });

const isObject: Check = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const receiverKinds = [
  ...['email_a', 'email_b', 'email_c', 'sms_a', 'sms_b'],
  ...['push_a', 'push_b', 'file_transfer_a', 'generic_hmac'],
];

export const webhookSubscription: Table = {
  id: must(isId),
  type: must(isOneOf('webhook_subscription')),
  team_id: must(isId),
  name: may(isString),
  target_url: must(isString),
  event_types: must(isListOf(isString)),
  is_active: must(isBoolean),
  is_disabled_for_failures: must(isBoolean),
  consecutive_permanent_failures: must(isInteger),
  last_delivered_at: may(isTimestamp),
  inserted_at: must(isTimestamp),
  updated_at: must(isTimestamp),
};
export const account: Table = {
  id: must(isId),
  type: must(isOneOf('account')),
  team_id: must(isId),
  contact_id: must(isId),
  unique_id: may(isString),
  kind: must(isOneOf('deposit', 'loan', 'credit', 'investment', 'other')),
  product_id: may(isId),
  opened_at: may(isTimestamp),
  closed_at: may(isTimestamp),
  balance_cents: may(isInteger),
  inserted_at: must(isTimestamp),
  updated_at: must(isTimestamp),
};
export const template: Table = {
  id: must(isId),
  type: must(isOneOf('template')),
  team_id: must(isId),
  name: must(isString),
  use_case: may(isString),
  status: must(isOneOf('draft', 'scheduled', 'launched', 'paused', 'archived', 'expired')),
  is_archived: must(isBoolean),
  is_locked: must(isBoolean),
  inserted_at: must(isTimestamp),
  updated_at: must(isTimestamp),
  launched_at: may(isTimestamp),
  archived_at: may(isTimestamp),
  deadline_at: may(isTimestamp),
  objective_ids: must(isListOf(isId)),
  page_ids: must(isListOf(isId)),
  message_ids: must(isListOf(isId)),
};

export const landingPage: Table = {
  id: must(isId),
  type: must(isOneOf('landing_page')),
  team_id: must(isId),
  name: must(isString),
  slug: must(isString),
  status: must(isOneOf('draft', 'published', 'archived')),
  content_block_ids: must(isListOf(isId)),
  published_at: may(isTimestamp),
  inserted_at: must(isTimestamp),
  updated_at: must(isTimestamp),
};

export const user: Table = {
  id: must(isId),
  type: must(isOneOf('user')),
  team_id: must(isId),
  email: must(isString),
  name: may(isString),
  role: must(isOneOf('admin', 'editor', 'viewer')),
  status: must(isOneOf('active', 'invited', 'suspended')),
  inserted_at: must(isTimestamp),
  updated_at: must(isTimestamp),
  last_signed_in_at: may(isTimestamp),
};

export const objectiveCompletionsCounts: Table = {
  team_id: must(isId),
  window: must(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      'start' in value &&
      'end' in value &&
      isTimestamp(value.start) &&
      isTimestamp(value.end),
  ),
  by_objective: must(isListOf((value) => typeof value === 'object' && value !== null)),
  total_completions: must(isInteger),
  total_value_cents: must(isInteger),
  computed_at: must(isTimestamp),
};

export const incomingWebhookReceiver: Table = {
  id: must(isId),
  type: must(isOneOf('incoming_webhook_receiver')),
  team_id: must(isId),
  receiver_kind: must(isOneOf(...receiverKinds)),
  name: may(isString),
  is_active: must(isBoolean),
  dedup_window_seconds: must(isInteger),
  signature_required: must(isBoolean),
  inserted_at: must(isTimestamp),
  updated_at: must(isTimestamp),
  last_received_at: may(isTimestamp),
  last_signature_failure_at: may(isTimestamp),
  consecutive_signature_failures: must(isInteger),
};

export const insightEnvelope: Table = {
  name: must(isString),
  value: must(isObject),
  computed_at: must(isTimestamp),
  expires_at: may(isTimestamp),
  source: must(isObject),
};

export const operationDescriptor: Table = {
  kind: must(isString),
  category: may(isString),
  summary: must(isString),
  idempotency_mode: must(isOneOf('natural', 'keyed')),
  failure_mode: must(isOneOf('partial_ok', 'transactional')),
  bulk_threshold: may(isInteger),
  execution_mode: may(isOneOf('sync', 'async')),
  required_scopes: must(isListOf(isString)),
  rate_limit_class: may(isString),
  input_schema: must(isObject),
  output_schema: must(isObject),
  notes: may(isString),
};

/** Every required field is there, and every field that is there has the type of the table. */
export function expectTable(body: Record<string, unknown>, table: Table): void {
  for (const [name, { check, required }] of Object.entries(table)) {
    if (!required && !(name in body)) continue;
    expect({ [name]: body[name], fits: check(body[name]) }).toEqual({
      [name]: body[name],
      fits: true,
    });
  }
}
