import { withSavepoint } from '../platform/database/savepoint.ts';
import type { Call } from '../platform/http/endpoint.ts';
import { fail, maxProblems, withPointerPrefix, withTitle } from '../platform/http/errors.ts';
import { inputProblems } from './apply-items.ts';
import type { ItemResult } from './apply-items.ts';
import { problemsOf } from './operation-type.ts';
import type { Operation, OperationCall } from './operation-type.ts';

/** The call of an operation within a request. */
export function callOf(
  {
    sql,
    teamId,
    principal,
    services: { keyring, config, log },
    request,
  }: Call<unknown, unknown, unknown>,
  source: OperationCall['source'],
): OperationCall {
  const { publicBaseUrl } = config;
  const about = { keyring, publicBaseUrl, log, trace: request.trace };
  return { sql, teamId, principal, source, ...about };
}

export type ShownResult = ReturnType<typeof shownResult>;

export function shownResult(
  { status, resource_type, resource_id, errors, output }: ItemResult,
  index: number,
  place: string,
) {
  const problems = errors.map((problem) => withTitle(withPointerPrefix(problem, place)));
  return { index, status, resource_type, id: resource_id, errors: problems, output };
}

/** Throws 422 where the operation refuses an item before any run of it. */
export async function checkRequested(
  call: OperationCall,
  operation: Operation,
  items: readonly unknown[],
  pointerOf: (index: number) => string,
): Promise<void> {
  if (!operation.checkRequested) return;
  const { sql, teamId } = call;
  const refused: ShownResult[] = [];
  for (const [index, item] of items.entries()) {
    // An item that violates the schema becomes a failed result of the run.
    if (inputProblems(operation, item).length > 0) continue;
    const tried = await withSavepoint(sql, async () =>
      operation.checkRequested?.({ sql, teamId }, item),
    );
    if (tried.done) continue;
    const errors = problemsOf(call, tried.error);
    const failed = { status: 'failed', resource_type: null, resource_id: null, errors } as const;
    refused.push(shownResult(failed, index, pointerOf(index)));
  }
  checkAllDone(operation, refused);
}

/** Throws 422, which undoes the transaction, where an item failed. */
export function checkAllDone({ kind }: Operation, results: readonly ShownResult[]): void {
  const failed = results.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return;
  const each = Math.max(1, Math.floor(maxProblems / failed.length));
  const items = failed
    .slice(0, maxProblems)
    .map(({ index, errors }) => ({ index, errors: errors.slice(0, each) }));
  const others = failed.length - items.length;
  const more = others > 0 ? ` ${String(others)} more items failed.` : '';
  throw fail('operation_failed', {
    detail: `${kind} was not applied; meta.items says why.${more}`,
    meta: { items },
  });
}
