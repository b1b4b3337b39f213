import type { Principal } from '../../platform/auth/principal.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { fail } from '../../platform/http/errors.ts';
import { nextTurn } from '../../platform/http/event-loop.ts';
import { turnLength } from '../../platform/http/json-pieces.ts';
import { itemScopes } from '../apply-items.ts';
import type { Operation } from '../operation-type.ts';
import { signalJob } from '../../platform/jobs/queries.ts';
import type { JobShape } from '../../platform/jobs/shape.ts';
import { batchJob, operationRunJob } from '../../../workflows/jobs.ts';
import { insertChunk, insertRetryChunks, keepResults } from './items/queries.ts';
import { countQueued, insertRun, setTotal } from './queries.ts';
import type { RunRow, RunSource, Surface } from './queries.ts';
import type { Mapping } from '../uploads/mapping.ts';
import { chunkSize, maxItems, maxQueued, maxTransactionalItems } from './rules.ts';

/** A requested run, of given items or of those in an upload. */
export interface NewRun<From extends Surface> {
  teamId: string;
  surface: From;
  operation: Operation;
  /** On whose behalf; its scopes at this moment are the most that the run will have. */
  principal: Principal;
  source: RunSource;
  items?: readonly unknown[];
  uploadId?: string;
  /** Fields by names of columns, for uploads. */
  mapping?: Mapping;
  /** The operation's own unless given. */
  failureMode?: 'partial_ok' | 'transactional';
  isDry?: boolean;
  /** Record an event when it has ended; executions do so by default. */
  notifyWebhook?: boolean;
  idempotencyKey?: string;
  /** The partner resource that the run is polled below. */
  subjectId?: string;
  /** Sender of the file, if it is no client: an SFTP credential or a file source. */
  sftpCredentialId?: string;
  fileSourceId?: string;
}

/**
 * Queues a run of the team in the caller's transaction; a worker claims it later. The caller must
 * check the operation's scopes. Throws 422 `too_many_items` and 429 `too_many_operations`.
 */
export async function startRun<From extends Surface>(
  sql: Sql,
  request: NewRun<From>,
): Promise<RunRow<From>> {
  const { teamId, operation, items, failureMode = operation.failureMode } = request;
  if (items) checkCount(items.length, failureMode);
  await checkQueue(sql, teamId);
  const run = await insertRun(
    sql,
    {
      ...columnsOf(request),
      failure_mode: failureMode,
      total_count: items?.length ?? null,
      retry_of_id: null,
    },
    request.mapping ?? null,
  );
  if (items) await insertItems(sql, run, items);
  await wakeRun(sql, run);
  return run;
}

/** Queues a run of the failed items of another one; undefined if none is stored. */
export async function startRetry<From extends Surface>(
  sql: Sql,
  retried: RunRow<From>,
  request: Omit<NewRun<From>, 'items' | 'uploadId' | 'mapping' | 'source'>,
): Promise<RunRow<From> | undefined> {
  await checkQueue(sql, request.teamId);
  const empty = await insertRun(
    sql,
    {
      ...columnsOf({ ...request, source: retried.source }),
      failure_mode: retried.failure_mode,
      total_count: 0,
      retry_of_id: retried.id,
      needed_scopes: retried.needed_scopes,
    },
    null,
  );
  const count = await insertRetryChunks(sql, empty, retried.id, chunkSize);
  if (count === 0) return undefined;
  const run = await setTotal(sql, empty, count);
  await keepResults(sql, retried);
  await wakeRun(sql, run);
  return run;
}

/** Signals the run's workflow. */
export async function wakeRun(sql: Sql, { id, surface, team_id }: RunRow): Promise<void> {
  await signalJob(sql, jobOfRun(surface), id, team_id);
}

/** The job that runs what came by a surface. */
export function jobOfRun(surface: Surface): JobShape {
  return surface === 'ipaas' ? operationRunJob : batchJob;
}

function columnsOf<From extends Surface>(request: NewRun<From>) {
  const { teamId, surface, operation, principal, source, items = [], isDry = false } = request;
  const hasClient = (request.sftpCredentialId ?? request.fileSourceId) === undefined;
  return {
    team_id: teamId,
    surface,
    operation_kind: operation.kind,
    dry_run: isDry,
    notify_webhook: request.notifyWebhook ?? surface === 'ipaas',
    source,
    upload_id: request.uploadId ?? null,
    idempotency_key: request.idempotencyKey ?? null,
    requested_by_client_id: hasClient ? principal.clientId : null,
    sftp_credential_id: request.sftpCredentialId ?? null,
    file_source_id: request.fileSourceId ?? null,
    subject_id: request.subjectId ?? null,
    scopes: [...principal.scopes].sort(),
    needed_scopes: [
      ...new Set([
        ...operation.scopes,
        ...itemScopes(operation, items),
        ...outputScopesOf(operation).filter((scope) => principal.scopes.has(scope)),
      ]),
    ],
  };
}

/** Results show the resources of these scopes. */
const outputScopesOf = ({ outputScope }: Operation) =>
  outputScope === undefined ? [] : [outputScope];

function checkCount(count: number, failureMode: string): void {
  const max = failureMode === 'transactional' ? maxTransactionalItems : maxItems;
  if (count <= max) return;
  throw fail('too_many_items', {
    detail: `There are ${String(count)} items; ${failureMode} takes ${String(max)} at most.`,
    meta: { max, pointer: '/items' },
  });
}

async function checkQueue(sql: Sql, teamId: string): Promise<void> {
  if ((await countQueued(sql, teamId)) < maxQueued) return;
  throw fail('too_many_operations', {
    detail: `${String(maxQueued)} operations of the team wait already.`,
    meta: { max: maxQueued },
    headers: { 'Retry-After': '10' },
  });
}

/** Stores items in chunks. To write a long one takes much of a turn, and so does to send it. */
async function insertItems(sql: Sql, run: RunRow, items: readonly unknown[]): Promise<void> {
  for (let at = 0; at < items.length; at += chunkSize) {
    const part = items.slice(at, at + chunkSize);
    const input = JSON.stringify(part);
    if (input.length > turnLength) await nextTurn();
    const place = { number: at / chunkSize, first_index: at };
    await insertChunk(sql, run, { ...place, item_count: part.length, input });
  }
}
