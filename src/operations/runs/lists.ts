import type { ListField } from '../../platform/lists/declaration.ts';
import { itemStatuses, runStatuses } from './rules.ts';

/** Fields of the lists of runs, whichever resource shows them. */
export const runListFields = {
  inserted_at: { type: 'timestamp', filter: true, sort: true },
  updated_at: { type: 'timestamp', filter: true, sort: true },
  status: { type: 'enum', values: runStatuses, filter: true },
  operation_kind: { type: 'text', filter: ['eq', 'neq', 'in', 'nin'] },
} as const satisfies Record<string, ListField>;

/** Items have no id of their own: their index identifies them. */
export const itemListFields = {
  index: { type: 'integer', filter: ['eq', 'lt', 'lte', 'gt', 'gte', 'in'], sort: true },
  status: { type: 'enum', values: itemStatuses, filter: ['eq', 'in'] },
  id: { type: 'id', column: 't.run_id' },
} as const satisfies Record<string, ListField>;
