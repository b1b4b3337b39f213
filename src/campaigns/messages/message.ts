import { Type } from 'typebox';
import type { Static } from 'typebox';
import {
  ByLocale,
  Count,
  Id,
  IdList,
  Kebab,
  OneOf,
  Text,
  Timestamp,
  createBody,
  patchBody,
  resource,
} from '../../platform/schema/fields.ts';
import { Email } from '../../platform/schema/email.ts';
import type { RowOf } from '../../platform/schema/fields.ts';
import { DataSchemaField } from '../../platform/schema/data-schema.ts';
import type { ListDeclaration } from '../../platform/lists/declaration.ts';
import { maxBlocksUsed } from '../content-blocks/content-block.ts';
import { Warnings } from '../rendering/warnings.ts';

export const channels = ['email', 'sms', 'push'] as const;
const statuses = ['draft', 'active', 'archived'] as const;
const purposes = ['marketing', 'transactional', 'servicing'] as const;

/** Ten years. */
export const maxDateAheadDays = 3_653;

/** When a message is sent; what each kind needs is in content.ts. */
const Trigger = Type.Object(
  {
    kind: OneOf(
      [
        'on_enroll',
        'delay',
        'date',
        'on_event',
        'on_objective_incomplete',
        'on_page',
        'on_request',
      ],
      'Journeys never send on_request; it is sent by the operation sendMessage only',
    ),
    delay: Type.Optional(
      Type.String({
        pattern: '^P(?!$)(\\d{1,4}W|(\\d{1,4}D)?(T(?=\\d)(\\d{1,4}H)?(\\d{1,4}M)?)?)$',
        description: 'ISO 8601 duration of weeks, or days, hours and minutes',
      }),
    ),
    date: Type.Optional(Timestamp(`For kind date; at most ${String(maxDateAheadDays)} days ahead`)),
    at_local_time: Type.Optional(
      Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description: 'In the contact’s zone' }),
    ),
    weekday_mask: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 127, description: 'Monday is 1, Tuesday 2, Sunday 64' }),
    ),
    event_kind: Type.Optional(Text(64, 'For kind on_event')),
    page_id: Type.Optional(Id('For kind on_page: a page of the template')),
    objective_id: Type.Optional(Id('For kind on_objective_incomplete')),
  },
  { additionalProperties: false },
);
export type Trigger = Static<typeof Trigger>;

const texts = {
  subject: Type.Optional(Text(255)),
  preheader: Type.Optional(Text(255)),
  from_name: Type.Optional(Text(120)),
  body_html: Type.Optional(Text(512_000, 'Sanitized when it is written; followed by the blocks')),
  body_text: Type.Optional(Text(128_000)),
  body: Type.Optional(Text(1_600, 'Text of an SMS, or of a push (at most 1,000)')),
  title: Type.Optional(Text(120)),
  image_url: Type.Optional(Text(2_048)),
  deep_link: Type.Optional(Text(2_048)),
};

/** The texts that a language or a variant overrides; all may contain Liquid. */
const Overrides = Type.Object(texts, { additionalProperties: false });
export type Overrides = Static<typeof Overrides>;

/** A step of a template: what is sent to its recipients. */
export const Message = resource('message', {
  template_id: Id(),
  name: Text(120),
  channel: OneOf([...channels], 'Fixed; fields of other channels stay empty'),
  status: OneOf([...statuses], 'Active once its template is launched'),
  purpose: OneOf([...purposes], 'Marketing is sent with consent only'),
  topic_id: Type.Optional(
    Id('Marketing only: a topic of the team, by whose consents the message is sent as well'),
  ),
  position: Count('Order within the template, from 0'),
  trigger: Trigger,
  condition: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Rule on the recipient as in a cohort’s definition, asked when it is sent; 16 KB at most',
    }),
  ),
  respect_quiet_hours: Type.Boolean({
    description: 'True by default, but for on_request unless it is marketing',
  }),
  frequency_cap_exempt: Type.Boolean(),
  ...texts,
  from_email: Type.Optional(Email('Address of a verified sending domain of the team')),
  reply_to: Type.Optional(Email()),
  list_unsubscribe: Type.Boolean({
    description: 'Whether an e-mail carries one-click unsubscribe (RFC 8058)',
  }),
  sender: Type.Optional(
    Text(20, 'Number or name of an SMS provider of the team, from which a text message comes'),
  ),
  sms_segments: Type.Optional(
    Count('Number of parts of the text message before values are inserted'),
  ),
  data: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'For the app; at most 4 KB' }),
  ),
  data_schema: Type.Optional(
    DataSchemaField(
      'JSON Schema of the data that texts show as {{ data.<name> }}: that of a send for the ' +
        'trigger on_request, else that of the enrollment',
    ),
  ),
  content_block_ids: IdList(maxBlocksUsed, 'Blocks of an e-mail, behind its body'),
  localizations: ByLocale(Overrides),
  variants: Type.Array(
    Type.Object(
      {
        key: Kebab(40),
        weight: Type.Integer({ minimum: 1, maximum: 100 }),
        overrides: Overrides,
      },
      { additionalProperties: false },
    ),
    {
      maxItems: 5,
      description:
        'Each recipient keeps the one that the weights give them. Overrides replace the texts of ' +
        'the message itself: a recipient who gets a localization gets it unchanged',
    },
  ),
  version: Count('Rises with every change of its content'),
  warnings: Warnings,
});

export type MessageRow = Omit<RowOf<typeof Message>, 'warnings'>;

const optionalFields = [
  'purpose',
  'topic_id',
  'trigger',
  'condition',
  'respect_quiet_hours',
  'frequency_cap_exempt',
  'subject',
  'preheader',
  'from_name',
  'from_email',
  'reply_to',
  'body_html',
  'body_text',
  'list_unsubscribe',
  'body',
  'sender',
  'title',
  'image_url',
  'deep_link',
  'data',
  'data_schema',
  'content_block_ids',
  'localizations',
  'variants',
] as const;

/** The fields that a client writes, except the position. */
export const writtenFields = ['name', 'channel', ...optionalFields] as const;
export type MessageContent = Pick<MessageRow, (typeof writtenFields)[number]>;

/** A message before anything is written. */
export const blankMessage: MessageContent = {
  name: '',
  channel: 'email',
  purpose: 'marketing',
  topic_id: null,
  trigger: { kind: 'on_enroll' },
  condition: null,
  respect_quiet_hours: true,
  frequency_cap_exempt: false,
  subject: null,
  preheader: null,
  from_name: null,
  from_email: null,
  reply_to: null,
  body_html: null,
  body_text: null,
  list_unsubscribe: false,
  body: null,
  sender: null,
  title: null,
  image_url: null,
  deep_link: null,
  data: null,
  data_schema: null,
  content_block_ids: [],
  localizations: {},
  variants: [],
};

export const MessageCreate = createBody(
  Message,
  ['name', 'channel'],
  [...optionalFields, 'position'],
);
export const MessagePatch = patchBody(Message, [...writtenFields, 'position']);

/** Storage of messages as steps of a template. */
export const messageSteps = {
  table: 'messages',
  type: 'message',
  list: 'message_ids',
  max: 50,
  jsonColumns: ['trigger', 'condition', 'data', 'data_schema', 'localizations', 'variants'],
  listed: `status <> 'archived'`,
} as const;

/** Counts of the deliveries of a message, from the first one on. */
const stats = {
  queued: Count('Handed over to be sent'),
  sent: Count(),
  delivered: Count(),
  bounced: Count(),
  failed: Count(),
  opened: Count('By a person, once each'),
  opened_machine: Count(),
  clicked: Count(),
  unsubscribed: Count(),
  complained: Count(),
  skipped: Count(),
};

/** Identifies the variant in its figures. */
export const VariantKey = Type.Optional(
  Type.String({ description: 'Absent for deliveries without a variant' }),
);

/** An element of the messages of a template. */
export const TemplateMessage = Type.Object(
  {
    ...Message.properties,
    stats: Type.Object(stats),
    stats_by_variant: Type.Array(Type.Object({ variant_key: VariantKey, ...stats }), {
      description: 'The same for each variant with deliveries; empty where no delivery has one',
    }),
  },
  { title: 'template_message' },
);

export const messageFields: ListDeclaration['fields'] = {
  position: { type: 'integer', filter: true, sort: true },
  inserted_at: { type: 'timestamp', filter: true, sort: true },
  updated_at: { type: 'timestamp', filter: true, sort: true },
  name: { type: 'text', filter: true, sort: true },
  channel: { type: 'enum', values: channels, filter: true },
  status: { type: 'enum', values: statuses, filter: true },
  purpose: { type: 'enum', values: purposes, filter: true },
  topic_id: { type: 'id', filter: true },
};

/** A message with its variables filled for one recipient. */
export const RenderedMessage = Type.Object(
  {
    channel: OneOf([...channels]),
    subject: Type.Optional(Type.String()),
    preheader: Type.Optional(Type.String()),
    from_name: Type.Optional(Type.String()),
    html: Type.Optional(Type.String({ description: 'Body and blocks of an e-mail' })),
    text: Type.Optional(
      Type.String({ description: 'Plain text of an e-mail, made from the HTML without body_text' }),
    ),
    body: Type.Optional(Type.String()),
    title: Type.Optional(Type.String()),
    image_url: Type.Optional(Type.String()),
    deep_link: Type.Optional(Type.String()),
    sms_segments: Type.Optional(Count()),
    variables: Type.Array(Type.String()),
    unknown_variables: Type.Array(Type.String(), { description: 'They keep it from a launch' }),
  },
  { title: 'rendered_message' },
);
