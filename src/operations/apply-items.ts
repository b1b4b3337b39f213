import { bisect } from '../platform/batching/bisect.ts';
import type { Attempt } from '../platform/batching/bisect.ts';
import { withSavepoint, dryRun } from '../platform/database/savepoint.ts';
import { createSerializer } from '../platform/http/response-serializer.ts';
import type { Cleaner } from '../platform/http/response-serializer.ts';
import { limitProblems, maxItemProblems } from '../platform/http/errors.ts';
import type { Problem } from '../platform/http/errors.ts';
import { fieldReader, problemFinder } from '../platform/http/validate.ts';
import { auditOutcomes } from './audited.ts';
import { problemsOf } from './operation-type.ts';
import type { Operation, OperationCall, Outcome } from './operation-type.ts';

/** Result of one item, as the API shows it. */
export interface ItemResult {
  status: 'created' | 'updated' | 'unchanged' | 'skipped' | 'failed';
  resource_type: string | null;
  resource_id: string | null;
  /** Pointers begin at the item. */
  errors: readonly Problem[];
  output?: unknown;
}

interface Compiled {
  read(item: unknown): unknown;
  problems(item: unknown): readonly Problem[];
  clean: Cleaner;
}

const known = new WeakMap<Operation, Compiled>();

function compiled(operation: Operation): Compiled {
  let found = known.get(operation);
  if (!found) {
    const { input, output } = operation;
    found = {
      read: fieldReader(input),
      problems: problemFinder(input),
      clean: createSerializer(output),
    };
    known.set(operation, found);
  }
  return found;
}

/** Everything that is wrong with an item by the schema of the operation. */
export function inputProblems(operation: Operation, item: unknown): readonly Problem[] {
  const { read, problems } = compiled(operation);
  return problems(read(item));
}

/** The scopes that items need beyond those of the operation. */
export function itemScopes(operation: Operation, items: readonly unknown[]): string[] {
  const { itemScopes: scopesOf } = operation;
  if (!scopesOf) return [];
  return items
    .filter((item) => inputProblems(operation, item).length === 0)
    .flatMap((item) => [...scopesOf(item)]);
}

/**
 * Applies items in the caller's transaction, and returns one result each, in their order.
 *
 * - A failed item changes nothing and does not affect other items. Only errors that repeat the
 *   transaction or end the connection are thrown.
 * - transactional: if one fails, nothing is applied; the others are `skipped`.
 * - A dry run changes nothing; its results are those of a real run, without new ids.
 */
export async function applyItems(
  operation: Operation,
  call: OperationCall,
  items: readonly unknown[],
  how: { failureMode: Operation['failureMode']; isDry: boolean },
): Promise<ItemResult[]> {
  const apply = () => applyAll(operation, call, items, how);
  const results = how.isDry ? await dryRun(call.sql, apply) : await apply();
  const { outputScope } = operation;
  const isBlind = outputScope !== undefined && !call.principal.scopes.has(outputScope);
  const shown = isBlind ? results.map((one) => unread(one, how)) : results;
  // A resource that was not created has no id.
  return how.isDry
    ? shown.map((one) => (one.status === 'created' ? { ...one, resource_id: null } : one))
    : shown;
}

/** A result for a caller that may not read the resource: alike, whether or not it changed. */
function unread({ output: _, ...result }: ItemResult, { isDry }: { isDry: boolean }): ItemResult {
  if (result.status === 'unchanged') return { ...result, status: 'updated' };
  const isOutcome = result.status === 'skipped' && result.resource_type !== null;
  return isDry && isOutcome ? { ...result, status: 'created' } : result;
}

async function applyAll(
  operation: Operation,
  call: OperationCall,
  items: readonly unknown[],
  how: { failureMode: Operation['failureMode'] },
): Promise<ItemResult[]> {
  const results: ItemResult[] = [];
  if (how.failureMode === 'partial_ok') {
    await applyValid(operation, call, items, results);
    return results;
  }
  const tried = await withSavepoint(call.sql, async () => {
    await applyValid(operation, call, items, results);
    if (results.some(({ status }) => status === 'failed')) throw new Error('an item failed');
  });
  // The savepoint was rolled back after each item had been applied or had failed.
  return tried.done ? results : results.map(asSkipped);
}

async function applyValid(
  operation: Operation,
  call: OperationCall,
  items: readonly unknown[],
  results: ItemResult[],
): Promise<void> {
  const { read, problems, clean } = compiled(operation);
  const valid: unknown[] = [];
  const places: number[] = [];
  for (const [index, given] of items.entries()) {
    const item = read(given);
    const errors = problems(item);
    results.push(failed(errors));
    if (errors.length > 0) continue;
    valid.push(item);
    places.push(index);
  }
  const attempts = await bisect(valid, (some) => applyTogether(operation, call, some));
  for (const [at, attempt] of attempts.entries()) {
    results[places[at] ?? 0] = resultOf(call, attempt, clean);
  }
}

function applyTogether(
  operation: Operation,
  call: OperationCall,
  items: readonly unknown[],
): Promise<Attempt<readonly Outcome<unknown>[]>> {
  return withSavepoint(call.sql, async () => {
    const outcomes = await operation.apply(call, items);
    if (outcomes.length !== items.length) {
      throw new Error(`${operation.kind} answers another number of items`);
    }
    auditOutcomes(operation, call, items, outcomes);
    return outcomes;
  });
}

function resultOf(
  call: OperationCall,
  attempt: Attempt<Outcome<unknown>>,
  clean: Cleaner,
): ItemResult {
  if (!attempt.done) return failed(problemsOf(call, attempt.error));
  const { value: outcome } = attempt;
  return outcome.status === 'failed' ? failed(outcome.errors) : succeeded(outcome, clean);
}

const failed = (errors: readonly Problem[]): ItemResult => ({
  status: 'failed',
  resource_type: null,
  resource_id: null,
  errors: limitProblems(errors, maxItemProblems),
});

function succeeded(
  { output, ...result }: Exclude<Outcome<unknown>, { status: 'failed' }>,
  clean: Cleaner,
): ItemResult {
  return { ...result, errors: [], ...(output !== undefined && { output: clean(output) }) };
}

function asSkipped(result: ItemResult): ItemResult {
  if (result.status === 'failed') return result;
  return { status: 'skipped', resource_type: null, resource_id: null, errors: [] };
}
