import { groupRows } from '../platform/lists/group-rows.ts';
import { includeLimit } from '../platform/lists/list-endpoint.ts';
import type { Include } from '../platform/lists/list-endpoint.ts';
import { Cohort } from './cohort.ts';
import { findCohortsOf } from './queries.ts';

/** The cohorts of each contact, for lists of contacts that embed them. */
export const cohortsInclude: Include = {
  scope: 'partner:cohorts:read',
  item: Cohort,
  many: true,
  async load(sql, teamId, rows) {
    const contactIds = rows.map(({ id }) => id);
    const found = await findCohortsOf(sql, teamId, contactIds, includeLimit + 1);
    return groupRows(found, ({ contact_id }) => contact_id);
  },
};
