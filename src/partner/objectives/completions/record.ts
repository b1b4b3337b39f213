import type { Sql } from '../../../database/client.ts';
import { changedFields, recordEvent } from '../../../events/record.ts';
import { recordSystemEvent } from '../../engagement-events/record.ts';
import { holdObjectivesOfProduct } from '../queries.ts';
import type { ObjectiveRow } from '../queries.ts';
import { attributeToNobody } from './attribution.ts';
import { ObjectiveCompletion } from './completion.ts';
import { addToCount, findCompletion, insertCompletion, voidCompletionRow } from './queries.ts';
import type { CompletionRow } from './queries.ts';

export interface CompletionToRecord {
  contactId: string;
  completedAt: string;
  source: CompletionRow['source'];
  valueCents?: number | undefined;
  accountId?: string | undefined;
  uniqueId?: string | undefined;
}

/**
 * Records that a contact has completed an objective, in the caller's transaction, with its event.
 * Naturally idempotent: a contact completes an objective once, or once per unique_id (else time)
 * where it is repeatable; a repeat gives the first completion. References are checked by the caller.
 */
export async function recordCompletion(
  sql: Sql,
  objective: ObjectiveRow,
  wanted: CompletionToRecord,
  attribute = attributeToNobody,
): Promise<{ completion: CompletionRow; isNew: boolean }> {
  const { team_id: teamId, id: objectiveId } = objective;
  const { contactId, completedAt, source, valueCents, accountId, uniqueId } = wanted;
  const place = { objective_id: objectiveId, contact_id: contactId };
  const repeatKey = repeatKeyOf(objective, completedAt, uniqueId);
  const known = await findCompletion(sql, teamId, place, repeatKey);
  if (known) return { completion: known, isNew: false };

  const attributed = await attribute({ teamId, contactId, completedAt, objective });
  const made = await insertCompletion(
    sql,
    teamId,
    {
      ...place,
      ...attributed,
      completed_at: completedAt,
      value_cents: valueCents ?? objective.value_cents,
      source,
      account_id: accountId ?? null,
      unique_id: uniqueId ?? null,
    },
    repeatKey,
  );
  if (!made) {
    const first = await findCompletion(sql, teamId, place, repeatKey);
    // Voided in this very moment: it may be completed anew.
    if (!first) return recordCompletion(sql, objective, wanted, attribute);
    return { completion: first, isNew: false };
  }
  await addToCount(sql, teamId, objectiveId, 1);
  recordEvent(sql, { teamId, type: 'objective.completed', data: made, sequence: 1 });
  await tellEngagement(sql, made, 'objective.completed');
  return { completion: made, isNew: true };
}

/** Takes a completion out of all counts; it is locked and was not voided before. */
export async function voidCompletion(
  sql: Sql,
  before: CompletionRow,
  reason: string,
): Promise<CompletionRow> {
  const { team_id: teamId, id, objective_id } = before;
  const after = await voidCompletionRow(sql, teamId, id, reason);
  await addToCount(sql, teamId, objective_id, -1);
  recordEvent(sql, {
    teamId,
    type: 'objective.voided',
    data: after,
    sequence: after.lock_version,
    previous: changedFields(ObjectiveCompletion, before, after) ?? {},
  });
  await tellEngagement(sql, after, 'objective.voided');
  return after;
}

interface OpenedAccount {
  id: string;
  team_id: string;
  contact_id: string;
  kind: string;
  opened_at: string | null;
}

/**
 * Completes the objectives of the kind of an account that has just been opened. An account that was
 * opened before the objective's window is history that was imported, and completes nothing.
 */
export async function completeByAccount(sql: Sql, account: OpenedAccount): Promise<void> {
  const { id: accountId, contact_id: contactId, opened_at: openedAt } = account;
  if (openedAt === null) return;
  const nowMs = Date.now();
  const openedMs = Date.parse(openedAt);
  const objectives = await holdObjectivesOfProduct(sql, account.team_id, account.kind);
  for (const objective of objectives) {
    if (openedMs < nowMs - objective.attribution_window_days * 86_400_000) continue;
    await recordCompletion(sql, objective, {
      contactId,
      accountId,
      completedAt: new Date(Math.min(openedMs, nowMs)).toISOString(),
      source: 'rule',
      uniqueId: accountId,
    });
  }
}

function repeatKeyOf(
  { is_repeatable }: ObjectiveRow,
  completedAt: string,
  uniqueId: string | undefined,
): string {
  if (!is_repeatable) return '';
  return uniqueId === undefined ? `at:${completedAt}` : `id:${uniqueId}`;
}

async function tellEngagement(
  sql: Sql,
  completion: CompletionRow,
  kind: 'objective.completed' | 'objective.voided',
): Promise<void> {
  const { journey_id, template_id, message_id, account_id, voided_at } = completion;
  await recordSystemEvent(sql, completion.team_id, {
    kind,
    contact_id: completion.contact_id,
    objective_id: completion.objective_id,
    value_cents: completion.value_cents,
    occurred_at: voided_at ?? completion.completed_at,
    ...(journey_id !== null && { journey_id }),
    ...(template_id !== null && { template_id }),
    ...(message_id !== null && { message_id }),
    ...(account_id !== null && { account_id }),
  });
}
