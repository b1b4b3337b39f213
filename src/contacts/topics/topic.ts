import { Type } from 'typebox';
import { ByLocale, OneOf, Text, Timestamp, resource } from '../../platform/schema/fields.ts';
import type { RowOf } from '../../platform/schema/fields.ts';
import type { ListField } from '../../platform/lists/declaration.ts';

/** Topics of a team; archived ones count. */
export const maxTopics = 50;

export const topicStatuses = ['subscribed', 'unsubscribed'] as const;

const texts = {
  name: Text(80, 'Shown to recipients; unique in the team'),
  description: Type.Optional(Text(300, 'Shown to recipients below the name')),
};

export const Topic = resource('topic', {
  ...texts,
  position: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    description: 'Order in the preference center, the lowest first; last by default',
  }),
  default_consent: OneOf(
    topicStatuses,
    'Fixed. In effect for contacts that have made no choice: `subscribed` for a topic that they ' +
      'opt out of, `unsubscribed` for one that they opt in to',
  ),
  localizations: ByLocale(
    Type.Object(
      { name: Type.Optional(Text(80)), description: texts.description },
      { additionalProperties: false },
    ),
    'Name and description in other languages',
  ),
  is_archived: Type.Boolean(),
  archived_at: Type.Optional(Timestamp()),
});
export type TopicRow = RowOf<typeof Topic>;

export const topicListFields = {
  position: { type: 'integer', filter: true, sort: true },
  inserted_at: { type: 'timestamp', filter: true, sort: true },
  updated_at: { type: 'timestamp', filter: true, sort: true },
  name: { type: 'text', filter: true, sort: true },
  default_consent: { type: 'enum', values: topicStatuses, filter: true },
  is_archived: { type: 'boolean', column: 't.archived_at is not null', filter: ['eq', 'neq'] },
} as const satisfies Record<string, ListField>;
