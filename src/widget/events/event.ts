import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Count, Id, OneOf, Text, Timestamp } from '../../platform/schema/fields.ts';

const kinds = [
  'page.viewed',
  'page.cta_clicked',
  'page.form_submitted',
  'page.continued',
  'widget.loaded',
  'widget.started',
  'widget.submitted',
  'widget.completed',
  'widget.failed',
  'widget.dismissed',
  'opt_in.granted',
  'opt_in.revoked',
] as const;

/** Events of one request at most. */
export const maxRecipientEvents = 50;

const RecipientEvent = Type.Object(
  {
    unique_id: Text(128, 'Repeats of it within journey and kind are dropped'),
    kind: OneOf(kinds),
    occurred_at: Type.Optional(Timestamp('Now if absent')),
    page_id: Type.Optional(Id('A page of the journey')),
    properties: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'At most 8 KB of JSON' }),
    ),
  },
  { additionalProperties: false },
);
export type RecipientEvent = Static<typeof RecipientEvent>;

export const RecipientEvents = Type.Object(
  {
    events: Type.Array(RecipientEvent, {
      minItems: 1,
      description: `At most ${String(maxRecipientEvents)}; recorded all or none`,
    }),
  },
  { additionalProperties: false },
);

export const RecipientEventReceipt = Type.Object({ accepted: Count(), duplicates: Count() });
