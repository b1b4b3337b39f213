import { Type } from 'typebox';
import { Count, Id, OneOf, Timestamp } from '../../platform/schema/fields.ts';
import type { ListField } from '../../platform/lists/declaration.ts';
import { receiverKinds } from '../receiver.ts';

export const inboundStatuses = [
  'processed',
  'failed',
  'ignored',
  'pending_confirmation',
  'rejected_signature',
  'rejected_invalid',
] as const;
const signatureStatuses = ['verified', 'unsigned', 'invalid', 'missing', 'expired'] as const;
const modes = ['native', 'normalized', 'normalized_enveloped', 'bearer'] as const;

/** One event of an accepted callback, or one rejected callback. Lists show no personal data. */
export const InboundDelivery = Type.Object(
  {
    id: Id(),
    type: Type.Literal('inbound_delivery'),
    team_id: Id(),
    receiver_id: Id(),
    receiver_kind: OneOf(receiverKinds),
    status: OneOf(
      inboundStatuses,
      'failed: taken, but not applied; it is tried again, and can be replayed',
    ),
    mode: Type.Optional(
      OneOf(modes, 'Route by which it was submitted; absent where it was refused'),
    ),
    signature_status: OneOf(signatureStatuses),
    is_test: Type.Boolean({ description: 'A sample of the service, without side effects' }),
    http_status: Type.Integer(),
    event_type: Type.Optional(Type.String({ description: 'The provider’s word' })),
    batch_id: Type.Optional(Id('The call, where it held several events')),
    event_index: Type.Optional(Count('The place in that call')),
    provider_event_id: Type.Optional(Type.String()),
    dedup_key: Type.Optional(Type.String()),
    duplicate_count: Count('Calls with the same key within the window, which changed nothing'),
    do_message_id: Type.Optional(Id('As the provider echoed it')),
    do_contact_id: Type.Optional(Id('As the provider echoed it')),
    do_journey_id: Type.Optional(Id('As the provider echoed it')),
    linked: Type.Object(
      {
        message_id: Type.Optional(Id()),
        message_delivery_id: Type.Optional(Id()),
        contact_id: Type.Optional(Id()),
        journey_id: Type.Optional(Id()),
        engagement_event_id: Type.Optional(Id()),
      },
      { description: 'The resources of the team that it was found to be about' },
    ),
    link_error: Type.Optional(Type.String({ description: 'Ids that match nothing here' })),
    size_bytes: Count(),
    body_sha256: Type.Optional(Type.String()),
    raw_available: Type.Boolean({ description: 'Whether the bytes are still stored' }),
    raw_expires_at: Type.Optional(Timestamp()),
    attempts: Count(),
    next_attempt_at: Type.Optional(Timestamp()),
    error: Type.Optional(Type.Object({ code: Type.String(), detail: Type.String() })),
    last_error: Type.Optional(Type.String({ description: 'The code of the error' })),
    received_at: Timestamp(),
    processed_at: Type.Optional(Timestamp()),
    replay_count: Count(),
  },
  { title: 'inbound_delivery' },
);

const Payload = Type.Record(Type.String(), Type.Unknown(), {
  description: 'The event in the normalized form of its kind',
});

/** One delivery by itself. */
export const InboundDeliveryDetails = Type.Object(
  {
    ...InboundDelivery.properties,
    payload: Type.Optional(Payload),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: 'Some; signatures are removed' }),
    ),
    raw: Type.Optional(
      Type.Object(
        {
          path: Type.String({ description: 'With the query' }),
          content_type: Type.Optional(Type.String()),
          encoding: OneOf(['utf8', 'base64']),
          body: Type.String(),
        },
        {
          description: 'The call as it came; with include=raw, for partner:incoming-webhooks:write',
        },
      ),
    ),
  },
  { title: 'inbound_delivery_details' },
);

/** The payload of a delivery in a list, with include=payload. */
export const IncludedPayload = Type.Object(
  {},
  { additionalProperties: true, description: 'The event in the normalized form of its kind' },
);

const equality = ['eq', 'neq', 'in', 'nin'] as const;

export const inboundListFields = {
  received_at: { type: 'timestamp', filter: true, sort: true },
  processed_at: { type: 'timestamp', filter: true, sort: true, nullable: true },
  status: { type: 'enum', values: inboundStatuses, filter: equality },
  event_type: { type: 'text', filter: ['eq', 'neq', 'in', 'nin', 'present', 'missing'] },
  signature_status: { type: 'enum', values: signatureStatuses, filter: equality },
  mode: { type: 'enum', values: modes, filter: equality },
  provider_event_id: { type: 'text', filter: ['eq', 'in'] },
  do_message_id: { type: 'id', filter: ['eq', 'in'] },
  do_contact_id: { type: 'id', filter: ['eq', 'in'] },
  do_journey_id: { type: 'id', filter: ['eq', 'in'] },
  contact_id: { type: 'id', filter: ['eq', 'in'] },
  message_id: { type: 'id', filter: ['eq', 'in'] },
} as const satisfies Record<string, ListField>;

export const InboundCountsQuery = Type.Object({
  'filter[received_at][gte]': Type.Optional(
    Timestamp('Start, inclusive; 24 hours before the end if absent'),
  ),
  'filter[received_at][lt]': Type.Optional(Timestamp('End, exclusive; now if absent')),
});

const countOf = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, Count()]));

const Counts = Type.Record(Type.String(), Type.Integer({ minimum: 0 }));

export const InboundCounts = Type.Object(
  {
    receiver_id: Id(),
    window: Type.Object({ start: Timestamp('Inclusive'), end: Timestamp('Exclusive') }),
    total: Count('Events that came, duplicates and refused calls included'),
    by_status: Type.Object(countOf([...inboundStatuses, 'duplicate']), {
      description: 'duplicate: events that were here before',
    }),
    by_event_type: Counts,
    by_signature_status: Type.Object(countOf(signatureStatuses)),
    dropped_rejections: Count(
      'Refused calls beyond 100 an hour, which have no row and are in no other count; whole hours',
    ),
    computed_at: Timestamp(),
  },
  { title: 'inbound_delivery_counts' },
);
