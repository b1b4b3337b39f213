import { isUuid } from '../schema/fields.ts';

/**
 * The contacts in an answer: those that are shown as a resource, or also those that `contact_id` or
 * `contact_ids` name.
 */
export function contactIdsIn(answer: unknown, which: 'shown' | 'named'): Set<string> {
  const ids = new Set<string>();
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, field] of Object.entries(value)) {
      if (which === 'named') for (const id of namedBy(name, field)) ids.add(id);
      walk(field);
    }
    const { id, type, resource_type: kind }: Record<string, unknown> = { ...value };
    if ((type === 'contact' || kind === 'contact') && typeof id === 'string') ids.add(id);
  };
  walk(answer);
  return ids;
}

function namedBy(name: string, field: unknown): string[] {
  if (name === 'contact_id') return typeof field === 'string' ? [field] : [];
  const isList = name === 'contact_ids' && Array.isArray(field);
  return isList ? field.filter((id) => typeof id === 'string') : [];
}

/** An empty list of a contact says something of it, and names it in the path alone. */
export function contactsInPath(path: string, params: Readonly<Record<string, string>>): string[] {
  const { id, contact_id } = params;
  const owner = /^\/v2\/partner\/contacts\/\{id\}/.test(path) ? id : undefined;
  return [owner, contact_id].filter((one) => one !== undefined);
}

/**
 * The contacts of a request that are in what is stored of it. Their number is bounded by the length
 * of these texts, where the request itself may name thousands.
 */
export function contactsIn(stored: readonly (string | null)[], ids: readonly string[]): string[] {
  const text = stored.join(' ').toLowerCase();
  const known = new Set(ids.filter(isUuid).map((id) => id.toLowerCase()));
  return [...known].filter((id) => text.includes(id));
}

/** Filters such as `filter[contact_id][in]=<id>,<id>`. */
export const contactsInQuery = (search: URLSearchParams) =>
  [...search].flatMap(([name, value]) => (/\bcontact_ids?\b/.test(name) ? value.split(',') : []));
