import type { Static, TObject, TSchema } from 'typebox';
import type { Keyring } from '../platform/auth/keyring.ts';
import type { Principal } from '../platform/auth/principal.ts';
import type { Sql } from '../platform/database/sql.ts';
import { withSavepoint } from '../platform/database/savepoint.ts';
import type { Action, Audit } from '../platform/http/audited.ts';
import type { Shown } from '../platform/http/declared-types.ts';
import type { RateClass } from '../platform/http/rate-limit.ts';
import type { Trace } from '../platform/http/trace.ts';
import type { Log } from '../platform/observability/log.ts';
import { HttpError } from '../platform/http/errors.ts';
import type { Problem } from '../platform/http/errors.ts';

/** Budgets of the team that operations take from. */
export const operationRateClasses = [
  'read',
  'write',
  'bulk',
  'execute',
] as const satisfies readonly RateClass[];

/** By which door items came. */
export type OperationSource = 'ipaas' | 'batch' | 'sftp';

/** Input of an operation in addition to its items. */
export interface OperationCall {
  /** A transaction. */
  sql: Sql;
  teamId: string;
  /** The principal that the operation acts for, with its current scopes. */
  principal: Principal;
  source: OperationSource;
  keyring: Keyring;
  publicBaseUrl: string;
  /** Receives unexpected errors; results do not contain them. */
  log: Log;
  /** For the audit trail: the request that started it, or the run. */
  trace: Trace;
}

/** Outcome of one item, in the order of the items. */
export type Outcome<Output> =
  | {
      status: 'created' | 'updated' | 'unchanged' | 'skipped';
      /** The resource that it is about, such as `contact`. */
      resource_type: string;
      resource_id: string | null;
      output?: Output;
    }
  | { status: 'failed'; errors: readonly Problem[] };

/**
 * One operation of the integration catalog, declared once: descriptor, direct calls, executions,
 * batches, file imports and the contract tests all read this value.
 */
export interface Operation {
  /** `<noun>.<verb>`. */
  kind: string;
  category: string;
  summary: string;
  notes?: string;
  /** natural: safe to repeat, by a business key. keyed: an Idempotency-Key is required. */
  idempotencyMode: 'natural' | 'keyed';
  failureMode: 'partial_ok' | 'transactional';
  /** More items than this are run as an execution of their own; absent: one item at a time. */
  bulkThreshold?: number;
  executionMode: 'sync' | 'async';
  /** Required for the request, and again when it runs. */
  scopes: readonly string[];
  /**
   * Reads what `output` and `unchanged` show of a resource that was there before. Without it, there
   * is no output, and an item that changes nothing is answered as one that does.
   */
  outputScope?: string;
  /** Scopes that an item requires in addition to `scopes`, because of its content. */
  itemScopes?(item: unknown): readonly string[];
  rateLimitClass: (typeof operationRateClasses)[number];
  /** The audit event of each resource that items changed, or why there is none. */
  audit: Exclude<Audit, { accepted: Action }>;
  /** Schema of one item. */
  input: TObject;
  /** Schema of `output` of one item. */
  output: TSchema;
  /**
   * Applies items that match `input`, set by set where possible; returns one outcome per item. A
   * failed item must have written nothing. A thrown error rolls back all of them. They are then
   * retried in halves, until the failing item is alone.
   */
  apply(call: OperationCall, items: readonly unknown[]): Promise<readonly Outcome<unknown>[]>;
  /**
   * For an operation that always runs in the background, one item at a time: throws what refuses
   * the item already when it is requested, so that the caller does not learn it from a failed run.
   */
  checkRequested?(call: Pick<OperationCall, 'sql' | 'teamId'>, item: unknown): Promise<void>;
  /**
   * For an item that is too large for one transaction: applies a part of it in the caller's
   * transaction, which is committed regardless of the rest. Returns true when nothing is left and
   * `apply` may return the outcome. After an error, `apply` returns the outcome too.
   */
  step?(call: OperationCall, item: unknown): Promise<boolean>;
}

interface Declaration<Input extends TObject, Output extends TSchema> extends Omit<
  Operation,
  'input' | 'output' | 'apply' | 'checkRequested' | 'step' | 'itemScopes'
> {
  input: Input;
  output: Output;
  itemScopes?(item: Static<Input>): readonly string[];
  checkRequested?(call: Pick<OperationCall, 'sql' | 'teamId'>, item: Static<Input>): Promise<void>;
  step?(call: OperationCall, item: Static<Input>): Promise<boolean>;
  apply(
    call: OperationCall,
    items: readonly Static<Input>[],
  ): Promise<readonly Outcome<Shown<Output>>[]>;
}

/** Declares an operation; types flow from the schemas into `apply`. */
export function operation<Input extends TObject, Output extends TSchema>(
  declaration: Declaration<Input, Output>,
): Operation;
export function operation(declaration: Operation): Operation {
  return declaration;
}

/** Problems of a failed item: those of a rule, or a general one for an unexpected error. */
export function problemsOf({ log, trace }: OperationCall, error: unknown): readonly Problem[] {
  if (error instanceof HttpError) return error.problems;
  log.error({ err: error, request_id: trace.requestId }, 'an item of an operation failed');
  return [{ code: 'item_failed', detail: 'The item could not be applied.' }];
}

type Done = 'created' | 'updated' | 'unchanged';

/** The outcome of an item that is about this resource, which is its output. */
export function outcomeOf<Row extends { id: string; type: string }>(
  status: Done,
  row: Row,
): Outcome<Row> {
  return { status, resource_type: row.type, resource_id: row.id, output: row };
}

/** An `apply` for what is done item by item; `one` throws what refuses an item. */
export function oneByOne<Item, Row extends { id: string; type: string }>(
  one: (call: OperationCall, item: Item) => Promise<{ status: Done; row: Row }>,
) {
  return async (call: OperationCall, items: readonly Item[]): Promise<Outcome<Row>[]> => {
    const outcomes: Outcome<Row>[] = [];
    for (const item of items) {
      const tried = await withSavepoint(call.sql, () => one(call, item));
      outcomes.push(
        tried.done
          ? outcomeOf(tried.value.status, tried.value.row)
          : { status: 'failed', errors: problemsOf(call, tried.error) },
      );
    }
    return outcomes;
  };
}
