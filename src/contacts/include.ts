import type { Include } from '../platform/lists/list-endpoint.ts';
import { loadBy } from '../platform/lists/related.ts';
import { Contact } from './contact.ts';
import { findContacts } from './queries.ts';

/** The contact of rows with a `contact_id`, for lists that embed it. */
export const contactInclude: Include = {
  scope: 'partner:contacts:read',
  item: Contact,
  many: false,
  load: loadBy('contact_id', findContacts),
};
