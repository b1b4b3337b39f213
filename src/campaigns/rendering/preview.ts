import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Principal } from '../../platform/auth/principal.ts';
import type { Values } from '../../platform/content/liquid.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { Id } from '../../platform/schema/fields.ts';
import { fail } from '../../platform/http/errors.ts';
import { checkScopes } from '../../platform/http/authorize.ts';
import { findContacts } from '../../contacts/queries.ts';
import { requireTeam } from '../../team/queries.ts';
import { sampleContact, sampleSurroundings, valuesOf } from './variables.ts';

/** For whom content is shown before it is sent or published. */
export const PreviewFor = Type.Object(
  {
    contact_id: Type.Optional(
      Id('Whose data to use; needs partner:contacts:read. Without one, a sample person’s'),
    ),
    data: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Values to use instead, such as {"contact": {"first_name": "Ada"}}',
      }),
    ),
    locale: Type.Optional(
      Type.String({ format: 'locale', maxLength: 35, description: 'The contact’s if absent' }),
    ),
  },
  { additionalProperties: false },
);

/** The values and the locale to show content with. Throws 401 and 422. */
export async function previewFor(
  sql: Sql,
  teamId: string,
  principal: Principal,
  { contact_id, data = {}, locale }: Static<typeof PreviewFor>,
): Promise<{ values: Values; locale: string | undefined }> {
  const team = await requireTeam(sql, teamId);
  if (contact_id === undefined) {
    const somebody = { contact: sampleContact, team };
    return { values: valuesOf(data, sampleSurroundings, somebody), locale };
  }
  checkScopes(principal, 'partner:contacts:read');
  const [contact] = await findContacts(sql, teamId, [contact_id]);
  if (!contact) {
    throw fail('validation_failed', {
      detail: 'The team has no such contact.',
      meta: { pointer: '/contact_id', rule: 'reference_not_found' },
    });
  }
  const values = valuesOf(data, sampleSurroundings, { contact, team });
  return { values, locale: locale ?? contact.locale ?? undefined };
}
