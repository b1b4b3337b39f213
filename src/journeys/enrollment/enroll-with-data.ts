import { listDataSchemas } from '../../campaigns/templates/history/queries.ts';
import type { TemplateRow } from '../../campaigns/templates/queries.ts';
import { storeJourneyData } from '../../messaging/message-data/journey-data.ts';
import { MessageDataField, listDataProblems } from '../../messaging/message-data/message-data.ts';
import type { MessageData } from '../../messaging/message-data/message-data.ts';
import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { Problem } from '../../platform/http/errors.ts';
import type { EnrollmentSource } from '../journey.ts';
import { enroll, takesRecipients } from './enroll.ts';
import type { Evaluated } from './queries.ts';

/** The data of an enrollment, as a field of a request. */
export const EnrollmentData = MessageDataField(
  'by the data_schema of every message of the journey that has one; texts show it as ' +
    '{{ data.<name> }}. Not checked if absent. Stored encrypted, and deleted when the journey ends',
);

/** The problems of the data of enrollments in a template, none while it takes nobody. */
export async function enrollmentDataProblems(
  sql: Sql,
  template: TemplateRow,
  values: readonly (MessageData | undefined)[],
): Promise<(readonly Problem[])[]> {
  const isChecked = takesRecipients(template) && values.some((data) => data !== undefined);
  if (!isChecked) return values.map(() => []);
  return listDataProblems(await listDataSchemas(sql, template), values);
}

/** A contact to enroll, with the data for the messages of its journey. */
interface Requested {
  contactId: string;
  data: MessageData | undefined;
}

/**
 * Enrolls contacts as `enroll` does, and stores the data of those that were enrolled. Where a
 * contact occurs more than once, its first place enrolls it.
 */
export async function enrollWithData(
  { sql, keyring }: { sql: Sql; keyring: Keyring },
  template: TemplateRow,
  requested: readonly Requested[],
  via: EnrollmentSource,
): Promise<Evaluated[]> {
  const contactIds = requested.map(({ contactId }) => contactId);
  const evaluated = await enroll(sql, template, { contactIds, via });
  const dataOf = new Map([...requested].reverse().map(({ contactId, data }) => [contactId, data]));
  const stored = evaluated.flatMap(({ contact_id, journey_id, refusal }) => {
    const data = dataOf.get(contact_id);
    const isStored = refusal === null && journey_id !== null && data !== undefined;
    return isStored ? [[journey_id, data] as const] : [];
  });
  await storeJourneyData(sql, keyring, template.team_id, new Map(stored));
  return evaluated;
}
