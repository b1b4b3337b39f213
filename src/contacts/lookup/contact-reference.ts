import { Type } from 'typebox';
import type { Sql } from '../../platform/database/sql.ts';
import { Id, Text } from '../../platform/schema/fields.ts';
import type { Problem } from '../../platform/http/errors.ts';
import type { ContactRow } from '../queries.ts';
import { findContactsReferred } from './queries.ts';

/** Fields of an item that name a contact: one of the two. */
export const contactReference = {
  contact_id: Type.Optional(Id('This or contact_unique_id')),
  contact_unique_id: Type.Optional(Text(255, 'The partner’s own key of the contact')),
};

interface Reference {
  contact_id?: string;
  contact_unique_id?: string;
}

/** The contact that an item names, or what is wrong with its reference. */
export type Referred = { contact: ContactRow } | { problems: [Problem] };

/** Finds the contacts that items name, all in one statement, in the order of the items. */
export async function findReferred(
  sql: Sql,
  teamId: string,
  items: readonly Reference[],
  how: { isLocked: boolean },
): Promise<Referred[]> {
  const ids = items.flatMap(({ contact_id }) => contact_id?.toLowerCase() ?? []);
  const keys = items.flatMap(({ contact_unique_id }) => contact_unique_id ?? []);
  const rows = await findContactsReferred(sql, teamId, { ids, keys }, how);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byKey = new Map(rows.flatMap((row) => row.keys.map((key) => [key, row])));
  return items.map(({ contact_id, contact_unique_id }) => {
    if (contact_id !== undefined && contact_unique_id !== undefined) {
      return wrong('contact_unique_id', 'unknown_field', 'excludes contact_id; send one.');
    }
    if (contact_id !== undefined) {
      const contact = byId.get(contact_id.toLowerCase());
      return contact ? { contact } : wrong('contact_id', 'reference_not_found', noSuch);
    }
    if (contact_unique_id === undefined) {
      return wrong('contact_id', 'required', 'or contact_unique_id is required.');
    }
    const contact = byKey.get(contact_unique_id);
    return contact ? { contact } : wrong('contact_unique_id', 'reference_not_found', noSuch);
  });
}

const noSuch = 'names no contact of the team.';

function wrong(field: string, rule: string, says: string): { problems: [Problem] } {
  const meta = { pointer: `/${field}`, rule };
  return { problems: [{ code: 'validation_failed', detail: `${field} ${says}`, meta }] };
}
