import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { OneOf } from '../platform/schema/fields.ts';
import type { ListField } from '../platform/lists/declaration.ts';
import { operationRateClasses } from './operation-type.ts';
import type { Operation } from './operation-type.ts';
import { operations } from './catalog.ts';

const executionModes = ['sync', 'async'] as const;
const categories = [...new Set(operations.map(({ category }) => category))].sort();

const Schema = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

/** The description of an operation for integrations, as the interface document defines it. */
export const OperationDescriptor = Type.Object(
  {
    kind: Type.String(),
    category: Type.Optional(Type.String()),
    summary: Type.String(),
    idempotency_mode: OneOf(
      ['natural', 'keyed'],
      'natural: repeats do no harm; keyed: an Idempotency-Key is required',
    ),
    failure_mode: OneOf(
      ['partial_ok', 'transactional'],
      'partial_ok: each item stands for itself; transactional: all or nothing',
    ),
    bulk_threshold: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description: 'More items are run by themselves; absent: one item in a request',
      }),
    ),
    execution_mode: Type.Optional(OneOf(executionModes)),
    required_scopes: Type.Array(Type.String(), {
      description: 'In addition to ipaas:operations:execute',
    }),
    rate_limit_class: Type.Optional(
      OneOf(operationRateClasses, 'The rate budget of the team that it uses'),
    ),
    input_schema: Schema('JSON Schema 2020-12 of `input`, and of each of `items`'),
    output_schema: Schema('JSON Schema 2020-12 of `output` in each result'),
    notes: Type.Optional(Type.String()),
  },
  { title: 'operation_descriptor' },
);

export const operationListFields = {
  kind: { type: 'text', sort: true },
  category: { type: 'enum', values: categories, filter: ['eq', 'neq', 'in', 'nin'] },
  execution_mode: { type: 'enum', values: executionModes, filter: ['eq', 'neq', 'in', 'nin'] },
} as const satisfies Record<string, ListField>;

const $schema = 'https://json-schema.org/draft/2020-12/schema';

/** The descriptor; the id is for the order of the list and is not shown. */
export function descriptorOf(operation: Operation) {
  const { kind, category, summary, notes, bulkThreshold } = operation;
  return {
    id: idOf(kind),
    kind,
    category,
    summary,
    idempotency_mode: operation.idempotencyMode,
    failure_mode: operation.failureMode,
    bulk_threshold: bulkThreshold ?? null,
    execution_mode: operation.executionMode,
    required_scopes: operation.scopes,
    rate_limit_class: operation.rateLimitClass,
    input_schema: { $schema, ...operation.input },
    output_schema: { $schema, ...operation.output },
    notes: notes ?? null,
  };
}

function idOf(kind: string): string {
  const hex = createHash('sha256').update(kind).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
