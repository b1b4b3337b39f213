import { Type } from 'typebox';
import type { Static } from 'typebox';
import {
  AppUri,
  Cents,
  Id,
  OneOf,
  Text,
  Timestamp,
  createBody,
  itemFields,
} from '../../platform/schema/fields.ts';
import type { ListField } from '../../platform/lists/declaration.ts';
import { CustomEventName } from '../custom-event-types/custom-event-type.ts';

/** Kinds that clients report; the service itself reports journeys, objectives and accounts. */
const reportedKinds = [
  'message.queued',
  'message.sent',
  'message.delivered',
  'message.delayed',
  'message.opened',
  'message.clicked',
  'message.bounced',
  'message.failed',
  'message.complained',
  'message.unsubscribed',
  'device.invalidated',
  'contact.replied',
  'page.viewed',
  'page.cta_clicked',
  'page.form_submitted',
  'page.continued',
  'landing_page.viewed',
  'landing_page.cta_clicked',
  'widget.loaded',
  'widget.started',
  'widget.submitted',
  'widget.completed',
  'widget.failed',
  'widget.dismissed',
  'opt_in.granted',
  'opt_in.revoked',
  'identity.challenge_presented',
  'identity.challenge_passed',
  'identity.challenge_failed',
  'identity.challenge_locked',
  'custom',
] as const;

export const engagementKinds = [
  ...reportedKinds,
  'journey.enrolled',
  'journey.started',
  'journey.completed',
  'journey.exited',
  'journey.expired',
  'objective.completed',
  'objective.voided',
  'account.opened',
  'account.closed',
] as const;
export type EngagementKind = (typeof engagementKinds)[number];
/** The kind of an event that a partner publishes is the name of its custom event type. */
const customKind = /^custom\./;

const channels = ['email', 'sms', 'push', 'web', 'widget', 'system'] as const;
const engagementSources = ['inbound', 'widget', 'landing_page', 'api', 'batch', 'system'] as const;

const reference = () => Type.Optional(Id());

const Kind = Type.Unsafe<EngagementKind | CustomEventName>(
  Type.Union([OneOf(engagementKinds), CustomEventName('Name of a custom event type')]),
);

/** Something that happened to or was done by a recipient. Immutable: a correction is a new event. */
export const EngagementEvent = Type.Object(
  {
    id: Id(),
    type: Type.Literal('engagement_event'),
    team_id: Id(),
    kind: Kind,
    channel: Type.Optional(OneOf(channels)),
    contact_id: reference(),
    journey_id: reference(),
    template_id: Type.Optional(Id('That of the message, page or journey, where one is named')),
    message_id: reference(),
    message_delivery_id: reference(),
    page_id: reference(),
    landing_page_id: reference(),
    widget_instance_id: reference(),
    objective_id: reference(),
    account_id: reference(),
    receiver_id: reference(),
    inbound_delivery_id: reference(),
    occurred_at: Timestamp('At most 25 months ago'),
    received_at: Timestamp(),
    source: OneOf(engagementSources),
    is_machine: Type.Boolean({ description: 'Made by a scanner or proxy, not by a person' }),
    url: Type.Optional(AppUri()),
    user_agent: Type.Optional(Text(512)),
    ip_truncated: Type.Optional(Text(45, 'The network only: /24 or /48')),
    properties: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'At most 8 KB of JSON' }),
    ),
    value_cents: Type.Optional(Cents()),
    unique_id: Type.Optional(Text(255, 'Repeats of it within team and kind are dropped')),
  },
  { title: 'engagement_event' },
);
export type EngagementEvent = Static<typeof EngagementEvent>;

/** The event of a partner, as webhook subscriptions receive it. */
export const CustomEvent = Type.Object(
  {
    id: EngagementEvent.properties.id,
    type: EngagementEvent.properties.type,
    team_id: EngagementEvent.properties.team_id,
    kind: CustomEventName('Name of the custom event type, as the type of the event'),
    contact_id: EngagementEvent.properties.contact_id,
    occurred_at: EngagementEvent.properties.occurred_at,
    received_at: EngagementEvent.properties.received_at,
    source: EngagementEvent.properties.source,
    is_machine: EngagementEvent.properties.is_machine,
    properties: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The published data, by the schema of the custom event type',
      examples: [{ order_id: 'A-4711', amount_cents: 1250 }],
    }),
    unique_id: Text(255, 'The partner’s own id of the event'),
  },
  { title: 'custom_engagement_event' },
);

/** Ids that an event may carry of resources that clients know. */
export const referenceFields = [
  'contact_id',
  'journey_id',
  'template_id',
  'message_id',
  'message_delivery_id',
  'page_id',
  'landing_page_id',
  'widget_instance_id',
  'objective_id',
  'account_id',
] as const;
export type ReferenceField = (typeof referenceFields)[number];

const Reportable = Type.Object({ ...EngagementEvent.properties, kind: OneOf(reportedKinds) });
const optional = [
  'channel',
  ...referenceFields,
  'occurred_at',
  'is_machine',
  'url',
  'user_agent',
  'ip_truncated',
  'properties',
  'value_cents',
  'unique_id',
] as const;

const Reported = createBody(Reportable, ['kind'], optional);
export type ReportedEvent = Static<typeof Reported>;

/** One item of engagement_events.record. */
export const EngagementItem = Type.Object(
  {
    ...itemFields(Reportable, optional),
    kind: Reportable.properties.kind,
    unique_id: Text(255, 'Repeats of it within team and kind are dropped'),
  },
  { additionalProperties: false },
);

/** Events of one request at most. */
export const maxReported = 500;

export const EngagementReport = Type.Object(
  {
    events: Type.Array(Reported, {
      minItems: 1,
      description: `At most ${String(maxReported)}; recorded all or none`,
    }),
  },
  { additionalProperties: false },
);

export const EngagementReceipt = Type.Object({
  accepted: Type.Integer({ minimum: 0 }),
  duplicates: Type.Integer({ minimum: 0 }),
  data: Type.Array(
    Type.Object({
      index: Type.Integer({ minimum: 0, description: 'Place in the request' }),
      id: Id('The event, or the earlier one with its unique_id'),
      status: OneOf(['created', 'duplicate']),
    }),
  ),
});

export const maxEngagementPageSize = 200;

const equality = ['eq', 'neq', 'in', 'nin', 'present', 'missing'] as const;

export const engagementListFields = {
  occurred_at: { type: 'timestamp', filter: true, sort: true },
  kind: {
    type: 'enum',
    values: engagementKinds,
    otherValues: customKind,
    filter: ['eq', 'neq', 'in', 'nin'],
  },
  channel: { type: 'enum', values: channels, filter: true },
  contact_id: { type: 'id', filter: equality },
  template_id: { type: 'id', filter: equality },
  journey_id: { type: 'id', filter: equality },
  message_id: { type: 'id', filter: equality },
  page_id: { type: 'id', filter: equality },
  source: { type: 'enum', values: engagementSources, filter: ['eq', 'neq', 'in', 'nin'] },
  is_machine: { type: 'boolean', filter: ['eq', 'neq'] },
} as const satisfies Record<string, ListField>;
