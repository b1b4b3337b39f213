import { LRUCache } from 'lru-cache';
import type { Keyring } from '../auth/keyring.ts';
import { createBatcher } from '../batching/batcher.ts';
import { traceTransaction } from '../database/transaction-trace.ts';
import type { Sql } from '../database/sql.ts';
import { isLockTimeout } from '../database/failures.ts';
import { awaitBeforeCommit } from '../database/transaction-context.ts';
import { auditCall } from './audit.ts';
import type { createConstantAnswer } from './constant-answer.ts';
import type { Admitted, Call, Together } from './endpoint.ts';
import { HttpError } from './errors.ts';
import { concernsAll, handleSets, SetsFailed } from './handle-sets.ts';
import { claimKeys, storeAnswers } from './idempotency.ts';
import type { IdempotencyClaim, StoredAnswer } from './idempotency.ts';
import type { RequestContext } from './request-context.ts';
import { startTransactionSpan } from './request-span.ts';
import { answerOf, checkPrecondition, toStoredAnswer } from './respond.ts';
import type { PreparedResponse } from './respond.ts';
import type { Services } from './services.ts';

/** An endpoint with what is made once for all of its calls. */
export interface RunnableEndpoint extends PreparedResponse {
  constant: ReturnType<typeof createConstantAnswer>;
}

/** A checked call that waits for its connection. */
export interface PendingCall {
  steps: RunnableEndpoint;
  context: RequestContext;
  call: Admitted<Record<string, string>, unknown, unknown>;
  /** The claim of its Idempotency-Key, where one was sent. */
  claim: IdempotencyClaim | undefined;
}

type AnyCall = Call<Record<string, string>, unknown, unknown>;
type Outcome = StoredAnswer | HttpError;

/** Shared transactions of one endpoint that run at once; later calls share the next. ADR 99. */
const atOnce = 2;
const maxTogether = 64;
/** As long as a request waits for a connection of its own. */
const maxWaitMs = 2_000;
/** A call with a larger body shares with calls of its own client only: it takes longer than others. */
const maxBytesAmongClients = 8_192;
/**
 * Time for which calls of a client share no transaction with others after one has failed there: each
 * failure costs the others a repetition, and a wait for a lock before it.
 */
const apartMs = 60_000;
const maxApart = 10_000;

/** Runs handlers, with idempotency if a key was sent, and builds the responses. */
export function createCallRunner({ database, keyring }: Services) {
  const alone = async (pending: PendingCall) =>
    required((await database.transact((sql) => handleAll(sql, keyring, [pending])))[0]);

  /**
   * Undefined stands for a call that has to run without those of other clients, or by itself. Where
   * calls of several clients fail as one set, each client gets a set, which shows whose has failed.
   */
  async function shareTransaction(
    calls: readonly PendingCall[],
    inSets = false,
  ): Promise<readonly (Outcome | undefined)[]> {
    if (calls.length === 0) return [];
    try {
      return await database.transact((sql) => {
        if (calls.length > 1) limitLockWaits(sql);
        return handleAll(sql, keyring, calls, inSets);
      });
    } catch (error) {
      if (error instanceof SetsFailed) {
        const hasFailed = ({ call }: PendingCall) => error.owners.has(clientOf(call));
        const others = await shareTransaction(
          calls.filter((call) => !hasFailed(call)),
          inSets,
        );
        const next = others.values();
        return calls.map((call) => (hasFailed(call) ? undefined : next.next().value));
      }
      if (!inSets && mixesTeams(calls) && !concernsAll(error)) return shareTransaction(calls, true);
      if (calls.length > 1 && isLockTimeout(error)) return calls.map(() => undefined);
      throw error;
    }
  }

  const together = createBatcher((_, calls: readonly PendingCall[]) => shareTransaction(calls), {
    ...{ atOnce, maxItems: maxTogether, maxWaitMs },
    ownerOf: ({ call }) => call.principal.teamId,
  });
  /** Clients whose calls failed a transaction that others shared. */
  const apart = new LRUCache<string, true>({ max: maxApart, ttl: apartMs });

  async function runTogether(
    pending: PendingCall,
    sharing: Together<Record<string, string>, unknown, unknown>,
  ): Promise<Outcome> {
    const { id } = pending.steps.endpoint;
    const owner = clientOf(pending.call);
    const isLarge = (pending.context.received?.bytes ?? 0) > maxBytesAmongClients;
    if (!sharing.usesSavepoints && !isLarge && !apart.has(owner)) {
      const outcome = await together(id, pending);
      if (outcome) return outcome;
      apart.set(owner, true);
    }
    return (await together(`${id} ${owner}`, pending)) ?? alone(pending);
  }

  async function run(pending: PendingCall): Promise<Outcome> {
    const { steps, context, call } = pending;
    const { endpoint, constant } = steps;
    const { transaction } = endpoint;
    const read = async (sql: Sql) => required((await answerAll(sql, [pending]))[0]);
    if (endpoint.isConstant) {
      return constant(context.request.headers, () => database.read(read).then(succeeded));
    }
    if (transaction) return database.transact(read, { ...transaction, isSnapshot: true });
    const isGet = endpoint.method === 'GET';
    const isWritten = typeof endpoint.audit === 'string';
    if ((isGet && !isWritten) || transaction === false) {
      return database.read(read, { isPipelined: isGet });
    }
    const { together: sharing } = endpoint;
    if (sharing && (sharing.admits?.(call) ?? true)) return runTogether(pending, sharing);
    return alone(pending);
  }

  return async (pending: PendingCall): Promise<StoredAnswer> => {
    await pending.steps.endpoint.admit?.(pending.call);
    const { steps, context } = pending;
    const span = startTransactionSpan(steps.endpoint, context.trace);
    try {
      const outcome = await run(pending);
      span?.end();
      return succeeded(outcome);
    } catch (error) {
      // Where it has ended above, it stays as it is.
      span?.end(error instanceof HttpError ? undefined : 'failed');
      throw error;
    }
  };
}

/** Handles calls in one transaction; a repeat of a finished request gets the stored response. */
async function handleAll(
  sql: Sql,
  keyring: Keyring,
  pending: readonly PendingCall[],
  inSets = false,
): Promise<Outcome[]> {
  const repeats = await claimKeys(
    sql,
    keyring,
    pending.map(({ claim }) => claim),
  );
  const open = pending.filter((_, at) => repeats[at] === undefined);
  const answers = await answerAll(sql, open, inSets);
  const keyed = open.flatMap(({ claim, steps }, at) => {
    const answer = answers[at];
    if (!claim || !answer || answer instanceof HttpError) return [];
    return [{ claim, answer, isSecret: steps.endpoint.showsSecret ?? false }];
  });
  storeAnswers(sql, keyring, keyed);
  const next = answers.values();
  return repeats.map((repeat) => repeat ?? required(next.next().value));
}

/** Ends the transaction when a statement waits for a lock, since other calls wait for it too. */
function limitLockWaits(sql: Sql): void {
  awaitBeforeCommit(sql, sql`set local lock_timeout = '50ms'`.execute());
}

/** Runs the handler, builds the responses and writes their audit events. */
async function answerAll(
  sql: Sql,
  pending: readonly PendingCall[],
  inSets = false,
): Promise<Outcome[]> {
  const [first, ...others] = pending;
  if (others.length === 0) traceTransaction(sql, first?.context.trace.span);
  else {
    for (const { context } of pending) {
      context.trace.span?.set({ 'onward.transaction.calls': pending.length });
    }
  }
  // The row of the precondition is the state before the change.
  const before = new Map<PendingCall, object>();
  const calls = pending.map((one): AnyCall => ({
    ...one.call,
    sql,
    checkPrecondition(row) {
      checkPrecondition(one.context.request.headers['if-match'], row);
      before.set(one, row);
    },
  }));
  const results = await resultsOf(sql, pending, calls, inSets);
  return pending.map((one, at): Outcome => {
    const result = results[at];
    if (result instanceof HttpError) return result;
    const { steps, call } = one;
    const { principal, request, params, body } = call;
    const answer = answerOf(result);
    const change = { principal, trace: request.trace, pathId: params['id'], body };
    const seen = { ...change, before: before.get(one) };
    auditCall(sql, { audit: steps.endpoint.audit, clean: steps.clean, answer, ...seen });
    return toStoredAnswer(steps, answer, principal);
  });
}

async function resultsOf(
  sql: Sql,
  pending: readonly PendingCall[],
  calls: readonly AnyCall[],
  inSets: boolean,
): Promise<readonly unknown[]> {
  const [first] = pending;
  const [call] = calls;
  if (!first || !call) return [];
  const { endpoint } = first.steps;
  if (calls.length === 1) return [await endpoint.handle(call)];
  const { together } = endpoint;
  if (!together) throw new Error(`${endpoint.id} handles one call at a time`);
  if (together.mixesTeams && !inSets) return together.handle(call, calls);
  return handleSets(sql, calls, clientOf, (set) => together.handle(set[0] ?? call, set));
}

/** Whether the calls are of several clients and were handled as one set. */
const mixesTeams = (calls: readonly PendingCall[]) =>
  calls[0]?.steps.endpoint.together?.mixesTeams === true &&
  new Set(calls.map(({ call }) => clientOf(call))).size > 1;

/** The client whose calls make one set. */
const clientOf = ({ principal: { teamId, clientId } }: Pick<AnyCall, 'principal'>) =>
  `${teamId} ${clientId}`;

function succeeded(outcome: Outcome): StoredAnswer {
  if (outcome instanceof HttpError) throw outcome;
  return outcome;
}

function required(outcome: Outcome | undefined): Outcome {
  if (outcome) return outcome;
  throw new Error('a call has no outcome');
}
