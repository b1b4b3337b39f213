import type { Span } from '../../platform/observability/span.ts';
import { toTimestamp } from '../../platform/time/rules.ts';
import type { Projection, ReceiverKind } from '../receiver.ts';

/** Possible effects of a delivery; each is applied once, even if the delivery is replayed. */
export type Effect = 'engagement' | 'message' | 'suppression' | 'consent' | 'device' | 'objective';

/** An event to be applied. */
export interface ToProject {
  /** Id of the delivery. */
  id: string;
  payload: Readonly<Record<string, unknown>>;
  /** Identifies duplicates. */
  key: string | undefined;
  receivedAtMs: number;
  /** Effects that are applied already. */
  effects?: readonly Effect[];
  engagementEventId?: string | null;
  /** The span of the request that brought it, if that is traced. */
  span?: Span | undefined;
}

export interface Projected {
  status: 'processed' | 'failed';
  error?: { code: string; detail: string };
  link: Link;
  engagementEventId?: string | undefined;
  effects: Effect[];
  /** The event is about an erased person: none of its content may be stored. */
  isErased?: boolean;
}

/** The records that an event refers to, in the receiver's team. */
export interface Link {
  message_id?: string;
  message_delivery_id?: string;
  template_id?: string;
  contact_id?: string;
  journey_id?: string;
  /** The send, by its place. */
  send?: { id: string; inserted_at: string };
  /** Which of the ids that came along match nothing here. */
  link_error?: string;
}

/** An event with what it means and what it is about. */
export interface Concern {
  deliveryId: string;
  receiverId: string;
  teamId: string;
  kind: ReceiverKind;
  projection: Projection;
  link: Link;
  event: ToProject;
}

const clockToleranceMs = 5 * 60_000;

/** Time of the event by the provider, or the time of receipt if that is too far in the future. */
export function momentOf({ projection, event }: Concern): string {
  const at = Date.parse(projection.occurredAt ?? '');
  const latest = event.receivedAtMs + clockToleranceMs;
  return toTimestamp(at <= latest ? at : event.receivedAtMs);
}
