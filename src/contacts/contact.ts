import { Type } from 'typebox';
import type { Static, TSchema } from 'typebox';
import {
  Count,
  Id,
  OneOf,
  Text,
  Timestamp,
  createBody,
  itemFields,
  patchBody,
  resource,
  Locale,
  Timezone,
} from '../platform/schema/fields.ts';
import { Email } from '../platform/schema/email.ts';
import type { ListField } from '../platform/lists/declaration.ts';

/** Custom fields by key; at most 100 keys and 16 KB of JSON in all. */
const byAttributeKey = <Value extends TSchema>(value: Value) =>
  Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$' }), value, {
    maxProperties: 100,
    additionalProperties: false,
  });
const attributeValues = [
  Type.String(),
  Type.Number(),
  Type.Boolean(),
  Type.Array(Type.String()),
] as const;

export const Attributes = byAttributeKey(Type.Union([...attributeValues]));
export type Attributes = Static<typeof Attributes>;

/** Attributes in a body: merged by key, null removes the key. ADR 4. */
export const AttributesPatch = byAttributeKey(Type.Union([...attributeValues, Type.Null()]));
export type AttributesPatch = Static<typeof AttributesPatch>;

export const Consent = Type.Object(
  {
    status: OneOf(['never', 'pending', 'subscribed', 'unsubscribed']),
    source: Type.Optional(Text(255, 'Where it was given or withdrawn; required with a status')),
    updated_at: Type.Optional(Timestamp('When the service recorded it; ignored in bodies')),
    evidence: Type.Optional(
      Text(2_000, 'Evidence, such as the wording shown or a reference to it'),
    ),
  },
  { additionalProperties: false },
);
export type Consent = Static<typeof Consent>;

const Consents = Type.Object({ email: Consent, sms: Consent, push: Consent });
const ConsentsPatch = Type.Partial(Consents, { additionalProperties: false });
export type Consents = Static<typeof Consents>;
export type ConsentsPatch = Static<typeof ConsentsPatch>;

const Status = OneOf(['active', 'suppressed', 'archived'], 'Deleting archives');
const EmailStatus = OneOf(['unknown', 'soft_bouncing', 'bounced', 'complained', 'suppressed']);

/** A contact as lists, includes and events show it: without its date of birth. */
export const Contact = resource('contact', {
  unique_id: Type.Optional(Text(255, 'The partner’s own key; unique in the team, case-sensitive')),
  email: Type.Optional(Email()),
  email_status: EmailStatus,
  first_name: Type.Optional(Text(100)),
  last_name: Type.Optional(Text(100)),
  preferred_name: Type.Optional(Text(100)),
  phone: Type.Optional(Type.String({ format: 'phone', description: 'E.164' })),
  locale: Type.Optional(Locale('BCP 47; the team’s if absent')),
  timezone: Type.Optional(Timezone('IANA; the team’s if absent')),
  postal_code: Type.Optional(Text(16)),
  tags: Type.Optional(Type.Array(Text(64), { maxItems: 50, uniqueItems: true })),
  attributes: Type.Optional(Attributes),
  consents: Consents,
  status: Status,
  account_count: Count(),
  open_journey_count: Count(),
  last_engaged_at: Type.Optional(Timestamp('Last event made by a person')),
  merged_into_id: Type.Optional(Id('The contact that this one was merged into; it is archived')),
});

/** A contact by itself; the date of birth needs the scope partner:contacts_sensitive:read. */
export const ContactDetails = Type.Object(
  {
    ...Contact.properties,
    date_of_birth: Type.Optional(
      Type.String({
        format: 'date',
        description: 'Sealed; shown only to tokens with partner:contacts_sensitive:read',
      }),
    ),
  },
  { title: 'contact_details' },
);

const Written = Type.Object({
  ...ContactDetails.properties,
  attributes: Type.Optional(AttributesPatch),
  consents: ConsentsPatch,
});

const writable = [
  'unique_id',
  'email',
  'first_name',
  'last_name',
  'preferred_name',
  'phone',
  'locale',
  'timezone',
  'date_of_birth',
  'postal_code',
  'tags',
  'attributes',
  'consents',
] as const;

export const ContactCreate = createBody(Written, [], writable);
export const ContactPatch = patchBody(Written, writable);
export type ContactPatch = Static<typeof ContactPatch>;

/** One item of contacts.upsert and contacts.bulk_upsert. */
export const ContactUpsert = Type.Object(
  {
    ...itemFields(Written, writable),
    unique_id: Text(255, 'The partner’s own key: of a contact that is there, or of a new one'),
  },
  { additionalProperties: false },
);
export type ContactUpsert = Static<typeof ContactUpsert>;

const equality = ['eq', 'neq', 'in', 'nin', 'present', 'missing'] as const;

export const contactListFields = {
  unique_id: { type: 'text', filter: equality },
  email: { type: 'text', isAddress: true, filter: true, sort: true, nullable: true },
  phone: { type: 'text', filter: equality },
  last_name: { type: 'text', sort: true, nullable: true },
  status: { type: 'enum', values: Status.enum, filter: true },
  email_status: { type: 'enum', values: EmailStatus.enum, filter: true },
  tags: { type: 'text_array', filter: true },
  locale: { type: 'text', filter: equality },
  cohort_id: {
    type: 'id',
    column: 'm.cohort_id',
    through: 'cohort_members m where m.team_id = t.team_id and m.contact_id = t.id',
    filter: true,
  },
  'attributes.<key>': { type: 'attribute', filter: true },
  inserted_at: { type: 'timestamp', filter: true, sort: true },
  updated_at: { type: 'timestamp', filter: true, sort: true },
  last_engaged_at: { type: 'timestamp', filter: true, sort: true, nullable: true },
} as const satisfies Record<string, ListField>;
