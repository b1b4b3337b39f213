import { fail } from '../platform/http/errors.ts';
import type { HttpError } from '../platform/http/errors.ts';

/** The remaining fields of a contact that was merged or erased. */
export interface UnavailableContact {
  merged_into_id: string | null;
  erased_at: string | null;
}

/** The error for a contact that cannot be read: 410 if it was merged or erased, otherwise 404. */
export function contactNotAvailable(
  row: UnavailableContact | undefined,
  meta: Record<string, unknown> = {},
): HttpError {
  const resource = 'contact';
  if (row && row.erased_at !== null) {
    return fail('resource_erased', {
      detail: 'The contact was erased; nothing but its id is kept.',
      meta: { ...meta, resource },
    });
  }
  if (row && row.merged_into_id !== null) {
    return fail('contact_merged', {
      detail: 'The contact was merged into another one; meta.contact_id names it.',
      meta: { ...meta, resource, contact_id: row.merged_into_id },
    });
  }
  return fail('not_found', { detail: 'No such contact.', meta: { ...meta, resource } });
}
