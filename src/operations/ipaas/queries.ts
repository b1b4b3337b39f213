import type { ListSource } from '../../platform/lists/sql.ts';

/** The catalog, from JSON, as a relation: its list follows the conventions of every list. */
export function operationSource(teamId: string, descriptors: string): ListSource {
  return {
    from: `json_to_recordset($2::text::json) as t (
      id uuid, kind text, category text, summary text, idempotency_mode text, failure_mode text,
      bulk_threshold int, execution_mode text, required_scopes json, rate_limit_class text,
      input_schema json, output_schema json, notes text)`,
    select: 't.*',
    where: {
      text: '$1::uuid is not null',
      values: [teamId, descriptors],
    },
  };
}
