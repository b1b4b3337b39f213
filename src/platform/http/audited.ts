/** Name of an audit event: `<resource type>.<verb>`. */
export type Action = `${string}.${string}`;

/** Reasons why a write has no audit event. ADR 50b. */
export const exemptions = {
  contact_data:
    'Systems of the team keep data of contacts current, often in bulk. Webhook events, histories of ' +
    'consents and runs record these writes.',
  recipient: 'The recipient acts. Sessions, challenges, consents and engagement events record it.',
  callback: 'A provider reports. The inbound delivery records it.',
  access_token: 'The log has every issued token. The trail has refused attempts.',
  question: 'The call has an answer and no effect.',
  items: 'The operation declares the event of its items.',
  run: 'It always runs in the background. The request for the run has the event.',
  reminder: 'Workflows read their rows again, and no row of a team changes.',
  unused_file: 'The command writes a file that no service uses yet.',
} as const;
export type Exemption = keyof typeof exemptions;

/** Actions that no endpoint, operation or command declares. */
export const furtherActions = {
  'webhook_subscription.event_types_set':
    'The event types of a subscription are set; `changed_fields` names them',
  'webhook_subscription.retried': 'An operator made its waiting deliveries due (Update `retryNow`)',
  'webhook_subscription.paused': 'An operator paused its deliveries (Update `pauseDelivery`)',
  'webhook_subscription.resumed': 'An operator ended the pause (Update `resumeDelivery`)',
  'webhook_replay.updated': 'An operator changed the rate of a replay (Update `setRate`)',
  'inbound_replay.updated': 'An operator changed the rate of a replay (Update `setRate`)',
  'batch_operation.item_skipped': 'An operator left an item out (Update `skipItem`)',
  'operation_execution.item_skipped': 'An operator left an item out (Update `skipItem`)',
  'auth.failed': 'Refused secrets and tokens, counted by client, reason and minute',
  'auth.scope_refused': 'Refused scopes, counted by client and minute',
  'contact.birth_date_read': 'Answers with `date_of_birth`, counted by client and ten minutes',
  'audit_trail.keyed': 'Seals of the trail have keys from here on',
} as const satisfies Record<Action, string>;

/** The audit event of an endpoint or operation, or why it has none. */
export type Audit =
  | Action
  /** The handler writes the event, since it has the same domain function as an operation. */
  | { byHandler: Action }
  /** The event of a call that continues in the background. */
  | { accepted: Action; otherwise: Exemption }
  /** Calls of a client are counted into one event within a window. */
  | { counted: Action }
  | { none: Exemption };

/** The action of the event, the same for every writer; undefined where there is none. */
export function actionOf(audit: Audit | undefined): Action | undefined {
  if (audit === undefined || typeof audit === 'string') return audit;
  if ('byHandler' in audit) return audit.byHandler;
  if ('counted' in audit) return audit.counted;
  return 'accepted' in audit ? audit.accepted : undefined;
}

/** The reason why calls that are executed immediately have no event. */
export function exemptionOf(audit: Audit): Exemption | undefined {
  if (typeof audit === 'string') return undefined;
  if ('none' in audit) return audit.none;
  return 'otherwise' in audit ? audit.otherwise : undefined;
}
