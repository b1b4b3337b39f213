import type { Sql } from '../../platform/database/sql.ts';
import { traceRow } from '../../platform/database/transaction-trace.ts';
import type { Span } from '../../platform/observability/span.ts';
import {
  changedFields,
  recordEvent,
  recordEvents,
  subscribedTypes,
} from '../../platform/events/record.ts';
import { objectiveCompleted, objectiveVoided } from '../events.ts';
import { fail } from '../../platform/http/errors.ts';
import { toTimestamp } from '../../platform/time/rules.ts';
import { recordSystemEvents } from '../engagement-events/record.ts';
import type { SystemEvent } from '../engagement-events/record.ts';
import { objectivesCompleted } from '../hooks.ts';
import { holdObjectivesOfProducts } from '../../campaigns/objectives/queries.ts';
import type { ObjectiveRow } from '../../campaigns/objectives/objective.ts';
import { attributeCompletions } from './attribution/queries.ts';
import { ObjectiveCompletion } from './completion.ts';
import { addToCounts, findCompletions, insertCompletions, voidCompletionRow } from './queries.ts';
import type { CompletionRow, KeyedCompletion } from './queries.ts';

export interface CompletionToRecord {
  objective: ObjectiveRow;
  contactId: string;
  completedAt: string;
  source: CompletionRow['source'];
  valueCents?: number | undefined;
  accountId?: string | undefined;
  uniqueId?: string | undefined;
  /** The span of the request that reports it. */
  span?: Span | undefined;
}

export interface RecordedCompletion {
  completion: CompletionRow;
  isNew: boolean;
}

/**
 * Records completed objectives of contacts and their events in the caller's transaction. It is
 * idempotent: a contact completes an objective once. A repeatable objective is completed once per
 * unique_id, or once per time without a unique_id. A repeat returns the first completion. The
 * caller checks references. Returns the outcomes in the order of the input.
 */
export async function recordCompletions(
  sql: Sql,
  teamId: string,
  requested: readonly CompletionToRecord[],
): Promise<RecordedCompletion[]> {
  const outcomes = new Array<RecordedCompletion>(requested.length);
  const attributed = await attributeCompletions(sql, teamId, requested);
  let open = attributed.flatMap((cause, at) => {
    const one = requested[at];
    return one ? [{ at, completion: { ...keyed(one), ...cause } }] : [];
  });
  const made: CompletionRow[] = [];
  // Retries the items that conflict within the batch or with a concurrent transaction.
  while (open.length > 0) {
    const known = await findCompletions(
      sql,
      teamId,
      open.map(({ completion }) => completion),
    );
    const fresh = new Map<string, (typeof open)[number]>();
    const later: typeof open = [];
    for (const [place, one] of open.entries()) {
      const completion = known.get(place);
      const key = keyOf(one.completion);
      if (completion) outcomes[one.at] = { completion, isNew: false };
      else if (fresh.has(key)) later.push(one);
      else fresh.set(key, one);
    }
    const rows = [...fresh.values()].map(({ completion }) => completion);
    const inserted = rows.length > 0 ? await insertCompletions(sql, teamId, rows) : [];
    for (const completion of inserted) {
      const one = fresh.get(keyOf(completion));
      if (!one) continue;
      outcomes[one.at] = { completion, isNew: true };
      traceRow(sql, completion.id, requested[one.at]?.span);
      fresh.delete(keyOf(completion));
      made.push(completion);
    }
    open = [...fresh.values(), ...later];
  }
  await publishCompletions(sql, teamId, made);
  return outcomes;
}

async function publishCompletions(sql: Sql, teamId: string, made: readonly CompletionRow[]) {
  if (made.length === 0) return;
  await addToCounts(
    sql,
    teamId,
    made.map(({ objective_id }) => objective_id),
    1,
  );
  const types = [objectiveCompleted];
  const subscribed = made.length === 1 ? new Set(types) : await subscribedTypes(sql, teamId, types);
  if (subscribed.size > 0) {
    recordEvents(
      sql,
      teamId,
      made.map((data) => ({ type: objectiveCompleted, data, sequence: 1 })),
    );
  }
  await recordSystemEvents(
    sql,
    teamId,
    made.map((completion) => engagementOf(completion, 'objective.completed')),
  );
  await objectivesCompleted(sql, teamId, made);
}

/**
 * Voids a completion, which is locked, and removes it from all counts. Throws 409 if it is voided
 * already.
 */
export async function voidCompletion(
  sql: Sql,
  before: CompletionRow,
  reason: string,
): Promise<CompletionRow> {
  const { team_id: teamId, id, objective_id } = before;
  if (before.voided_at !== null) throw alreadyVoided();
  const after = await voidCompletionRow(sql, teamId, id, reason);
  await addToCounts(sql, teamId, [objective_id], -1);
  recordEvent(sql, {
    teamId,
    type: objectiveVoided,
    data: after,
    sequence: after.lock_version,
    previous: changedFields(ObjectiveCompletion, before, after) ?? {},
  });
  await recordSystemEvents(sql, teamId, [engagementOf(after, 'objective.voided')]);
  return after;
}

function alreadyVoided() {
  const about = { state: 'voided', action: 'void', allowed_actions: [] };
  return fail('invalid_state_transition', {
    detail: 'The completion is voided already.',
    meta: { resource: 'objective_completion', ...about },
  });
}

interface OpenedAccount {
  id: string;
  contact_id: string;
  kind: string;
  opened_at: string | null;
}

/**
 * Completes the objectives of the kinds of accounts that have just been opened. An account that was
 * opened before the objective's window is history that was imported, and completes nothing.
 */
export async function completeByAccounts(
  sql: Sql,
  teamId: string,
  accounts: readonly OpenedAccount[],
): Promise<void> {
  const opened = accounts.filter(({ opened_at }) => opened_at !== null);
  if (opened.length === 0) return;
  const nowMs = Date.now();
  const kinds = [...new Set(opened.map(({ kind }) => kind))];
  const objectives = await holdObjectivesOfProducts(sql, teamId, kinds);
  const requested = opened.flatMap(({ id, contact_id, kind, opened_at }) => {
    const openedMs = Date.parse(opened_at ?? '');
    return objectives
      .filter(({ product_kind }) => product_kind === kind)
      .filter((objective) => openedMs >= nowMs - objective.attribution_window_days * 86_400_000)
      .map((objective) => ({
        objective,
        contactId: contact_id,
        accountId: id,
        completedAt: toTimestamp(Math.min(openedMs, nowMs)),
        source: 'rule' as const,
        uniqueId: id,
      }));
  });
  await recordCompletions(sql, teamId, requested);
}

function keyed(requested: CompletionToRecord) {
  const { objective, contactId, completedAt, source, valueCents, accountId, uniqueId } = requested;
  return {
    objective_id: objective.id,
    contact_id: contactId,
    completed_at: completedAt,
    value_cents: valueCents ?? objective.value_cents,
    source,
    account_id: accountId ?? null,
    unique_id: uniqueId ?? null,
    repeat_key: repeatKeyOf(objective, completedAt, uniqueId),
  };
}

type Key = Pick<KeyedCompletion, 'objective_id' | 'contact_id' | 'repeat_key'>;

const keyOf = ({ objective_id, contact_id, repeat_key }: Key) =>
  `${objective_id} ${contact_id} ${repeat_key}`;

function repeatKeyOf(
  { is_repeatable }: ObjectiveRow,
  completedAt: string,
  uniqueId: string | undefined,
): string {
  if (!is_repeatable) return '';
  return uniqueId === undefined ? `at:${completedAt}` : `id:${uniqueId}`;
}

function engagementOf(
  completion: CompletionRow,
  kind: 'objective.completed' | 'objective.voided',
): SystemEvent {
  const { journey_id, template_id, message_id, account_id, voided_at } = completion;
  return {
    kind,
    contact_id: completion.contact_id,
    objective_id: completion.objective_id,
    value_cents: completion.value_cents,
    occurred_at: voided_at ?? completion.completed_at,
    ...(journey_id !== null && { journey_id }),
    ...(template_id !== null && { template_id }),
    ...(message_id !== null && { message_id }),
    ...(account_id !== null && { account_id }),
  };
}
