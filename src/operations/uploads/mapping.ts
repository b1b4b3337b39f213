import { Type } from 'typebox';
import type { Static } from 'typebox';
import { fail } from '../../platform/http/errors.ts';
import { OneOf, Text } from '../../platform/schema/fields.ts';

const ColumnName = () => Type.String({ minLength: 1, maxLength: 255 });

/** Names of fields for columns that have other names. */
export const FieldMapping = Type.Record(ColumnName(), Type.Union([Text(255), Type.Null()]), {
  maxProperties: 500,
  description:
    'Names of fields by names of columns, for a CSV file whose columns have others; null leaves a column out',
});

/** A column of yes and no is a consent of the contact for a channel. */
const ConsentColumn = Type.Object(
  {
    channel: OneOf(['email', 'sms', 'push']),
    source: Text(255, 'Where the consents were given, which is stored with each'),
    evidence: Type.Optional(
      Text(
        2_000,
        'Evidence, such as the wording shown or a reference to it, which is stored with each',
      ),
    ),
  },
  { additionalProperties: false },
);

export const ConsentColumns = Type.Record(ColumnName(), ConsentColumn, {
  maxProperties: 3,
  description:
    'For a CSV file of contacts: by the names of columns of yes and no, the consents that they are. ' +
    'Yes is subscribed, no is unsubscribed, and an empty cell changes nothing',
});

/** The field or the consent of each column that is mapped; null leaves a column out. */
export type Mapping = Readonly<Record<string, string | Static<typeof ConsentColumn> | null>>;

/** Both mappings of a body as one; undefined without any. Throws 422 for a column that is in both. */
export function joinMappings({
  mapping: fields,
  consent_columns: consents,
}: {
  mapping?: Static<typeof FieldMapping>;
  consent_columns?: Static<typeof ConsentColumns>;
}): Mapping | undefined {
  if (!consents) return fields;
  if (Object.keys(consents).some((name) => fields && Object.hasOwn(fields, name))) {
    throw fail('validation_failed', {
      detail: 'A column may be in mapping or consent_columns, not in both.',
      meta: { pointer: '/consent_columns', rule: 'exclusive' },
    });
  }
  return { ...fields, ...consents };
}
