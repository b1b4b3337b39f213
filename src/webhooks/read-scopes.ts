import { withinEntitlement } from '../platform/auth/scopes.ts';
import { patternsOf } from '../platform/events/patterns.ts';
import {
  findEventType,
  isNamedByPartners,
  listEventTypes,
} from '../platform/events/registered-types.ts';

/** The read scope of the resource that events show, by the first word of their names. */
const scopeOfFamily = {
  contact: 'partner:contacts:read',
  contact_erasure: 'partner:contacts:read',
  account: 'partner:contacts:read',
  legal_hold: 'partner:legal_holds:read',
  objective: 'partner:objectives:read',
  template: 'partner:templates:read',
  journey: 'partner:journeys:read',
  user: 'partner:users:read',
  landing_page: 'partner:landing_pages:read',
  cohort: 'partner:cohorts:read',
  sftp_credentials: 'partner:sftp:read',
  sftp: 'partner:sftp:read',
  message: 'partner:messages:read',
  widget: 'partner:engagement:read',
  custom: 'partner:engagement:read',
  incoming_webhook_receiver: 'partner:incoming-webhooks:read',
  inbound_replay: 'partner:incoming-webhooks:read',
  batch_operation: 'batch:operations:read',
  operation_execution: 'ipaas:operations:read',
  team: 'partner:team:read',
  sending_domain: 'partner:sending_domains:read',
  sending_provider: 'partner:sending_providers:read',
  webhook: 'partner:webhooks:read',
  webhook_subscription: 'partner:webhooks:read',
  webhook_replay: 'partner:webhooks:read',
  export: 'partner:exports:read',
} as const satisfies Record<string, `${string}:${string}:read`>;

/** First words of event types whose resource has a read scope. */
export type EventFamily = keyof typeof scopeOfFamily;

const scopes = new Map<string, string>(Object.entries(scopeOfFamily));

/** The read scope of the resource that an event shows; undefined where there is no such type. */
export function readScopeOf(type: string): string | undefined {
  return findEventType(type) && scopes.get(type.slice(0, type.indexOf('.')));
}

/** An event type that is sent thin, and the scope that its data would need. */
export interface ThinEventType {
  event_type: string;
  required_scope: string;
}

/** Event types that match `event_types` and that require a missing scope. */
export function thinEventTypes(
  patterns: readonly string[],
  held: readonly string[],
): ThinEventType[] {
  const matched = listEventTypes()
    .filter((type) => patternsOf(type).some((pattern) => patterns.includes(pattern)))
    .map(({ name }) => name);
  const names = [...matched, ...patterns.filter(isNamedByPartners)];
  return names.sort().flatMap((event_type) => {
    const required_scope = readScopeOf(event_type);
    if (required_scope === undefined || held.includes(required_scope)) return [];
    return [{ event_type, required_scope }];
  });
}

/** The rights of a subscription, as its row has them. */
export interface SubscriptionRights {
  /** Read scopes of the token that last set the address or the event types. */
  read_scopes: string[];
  /** Present entitlement of its client; null where the row names none. */
  entitled: string[] | null;
}

/** The scopes among those that the client still has: a narrowed client narrows what it set up. */
export function stillHeld({ read_scopes, entitled }: SubscriptionRights): string[] {
  return entitled === null ? read_scopes : withinEntitlement(read_scopes, entitled);
}
