import { groupRows } from '../platform/lists/group-rows.ts';
import { includeLimit } from '../platform/lists/list-endpoint.ts';
import type { Include } from '../platform/lists/list-endpoint.ts';
import { Journey } from './journey.ts';
import { findJourneysOf } from './queries.ts';

/** The journeys of each contact, for lists of contacts that embed them. */
export const journeysInclude: Include = {
  scope: 'partner:journeys:read',
  item: Journey,
  many: true,
  async load(sql, teamId, rows) {
    const contactIds = rows.map(({ id }) => id);
    const found = await findJourneysOf(sql, teamId, contactIds, includeLimit + 1);
    return groupRows(found, ({ contact_id }) => contact_id);
  },
};
