import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Count, Id, OneOf, Timestamp, resource } from '../../platform/schema/fields.ts';
import type { ListField } from '../../platform/lists/declaration.ts';

const exportStatuses = ['queued', 'running', 'succeeded', 'failed'] as const;

const lists = [
  ...(['contacts', 'accounts', 'objective_completions'] as const),
  ...(['archived_messages', 'contact_reads'] as const),
] as const;
const Kind = OneOf([...lists, 'contact']);

/** A file of a team's data: a list of resources, or all that is known of one contact. */
export const Export = resource('export', {
  kind: Kind,
  format: OneOf(['csv', 'ndjson', 'json'], 'json: of one contact only'),
  status: OneOf(exportStatuses),
  filters: Type.Optional(Type.Record(Type.String(), Type.String())),
  contact_id: Type.Optional(Id('Whom it is about, with kind contact')),
  row_count: Count('Rows so far'),
  size_bytes: Count('Size of the file so far'),
  chain_sha256: Type.Optional(
    Type.String({
      description: 'SHA-256 of the last line so far, of archived_messages: the end of the chain',
    }),
  ),
  error: Type.Optional(Type.Object({ code: Type.String(), detail: Type.String() })),
  requested_by_client_id: Id(),
  started_at: Type.Optional(Timestamp()),
  completed_at: Type.Optional(Timestamp()),
  expires_at: Timestamp('The file is kept until then'),
});
export type Export = Static<typeof Export>;

export const ExportRequest = Type.Object(
  {
    kind: OneOf(lists),
    format: Type.Optional(
      OneOf(['csv', 'ndjson'], 'csv if absent; archived_messages are ndjson only'),
    ),
    filters: Type.Optional(
      Type.Record(Type.String({ maxLength: 200 }), Type.String({ maxLength: 4_000 }), {
        maxProperties: 20,
        description: 'The filters of the list, by the names of its parameters: filter[status][in]',
      }),
    ),
  },
  { additionalProperties: false },
);

export const exportListFields = {
  inserted_at: { type: 'timestamp', filter: true, sort: true },
  updated_at: { type: 'timestamp', filter: true, sort: true },
  kind: { type: 'enum', values: Kind.enum, filter: ['eq', 'neq', 'in', 'nin'] },
  status: { type: 'enum', values: exportStatuses, filter: ['eq', 'neq', 'in', 'nin'] },
  contact_id: { type: 'id', filter: ['eq', 'in'] },
} as const satisfies Record<string, ListField>;
