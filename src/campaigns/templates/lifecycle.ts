import { countRows } from '../../platform/database/count-rows.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { EventType } from '../../platform/events/event-type.ts';
import { changedFields, recordEvent } from '../../platform/events/record.ts';
import { templateCreated, templateUpdated } from '../events.ts';
import { fail, failAll } from '../../platform/http/errors.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { signalJob } from '../../platform/jobs/queries.ts';
import { templateJob } from '../../../workflows/jobs.ts';
import { findBlocks } from '../content-blocks/queries.ts';
import { journeysOutdated, templateLaunched } from '../hooks.ts';
import { messageSteps } from '../messages/message.ts';
import type { MessageRow } from '../messages/message.ts';
import { activateMessages } from '../messages/queries.ts';
import { pageSteps } from '../pages/page.ts';
import type { PageRow } from '../pages/page.ts';
import { checkQuota } from '../../platform/resources/quota.ts';
import { isTeamSuspended } from '../../team/suspending/queries.ts';
import { insertStatusChange, keepVersion } from './history/queries.ts';
import {
  findTemplateForUpdate,
  insertTemplate,
  notFound,
  requireTemplate,
  setObjectives,
  updateTemplate,
} from './queries.ts';
import type { TemplateColumns, TemplateRow } from './queries.ts';
import {
  applyAction,
  affectsWorkflow,
  dateProblems,
  dueTransition,
  lockedFields,
  missingParts,
  affectsJourneys,
} from './rules.ts';
import type { ClientAction, TemplateAction } from './rules.ts';
import { eventOf } from './action-events.ts';
import { missingCohorts, missingContent, missingRights } from './completeness.ts';
import { refuse } from './refusals.ts';
import { listSteps } from './steps/queries.ts';
import { Template, maxTemplates } from './template.ts';

/** Who or what changes a status, and when; `nowMs` since the epoch. */
export type Actor = { nowMs: number } & (
  { cause: 'api'; clientId: string } | { cause: 'timer' | 'operator'; clientId: null }
);

/**
 * Locks a template, or throws 404, and applies what is due by the clock, so that a late timer never
 * decides what a write meets (ADR 25).
 */
export async function lockTemplate(sql: Sql, teamId: string, id: string): Promise<TemplateRow> {
  const row = (await findTemplateForUpdate(sql, teamId, id)) ?? notFound();
  const current = await applyDue(sql, row, Date.now());
  await signalIfNeeded(sql, row, current);
  return current;
}

/** Locks a template whose content is to change: 409 while it is locked against edits. */
export async function lockForEdit(sql: Sql, teamId: string, id: string, field: string) {
  const row = await lockTemplate(sql, teamId, id);
  checkEditable(row, [field]);
  return row;
}

/** Throws 409 `template_locked` if the lock keeps one of these fields as it is. */
export function checkEditable(row: TemplateRow, changed: readonly string[]): void {
  const fields = lockedFields(row, changed);
  if (fields.length === 0) return;
  throw fail('template_locked', {
    detail: `The template is ${row.status} and locked: ${fields.join(', ')} cannot change.`,
    meta: { resource: 'template', state: row.status, fields },
  });
}

/** The problems of written dates, for a 422 (ADR 25). */
export function dateProblemsOf(
  written: Parameters<typeof dateProblems>[0],
  row: Parameters<typeof dateProblems>[1],
): Problem[] {
  return dateProblems(written, row, Date.now()).map(({ field, rule }) => ({
    code: 'validation_failed',
    detail: `${field} ${dateRules[rule]}.`,
    meta: { pointer: `/${field}`, rule },
  }));
}

const dateRules = {
  min: 'must lie in the future',
  max: 'must lie within a year',
  date_order: 'leaves the deadline_at not after the scheduled_at',
} as const;

/**
 * Makes a draft with its history and event; the quota of the team is checked. `copyContent` fills
 * it before the event is published.
 */
export async function addTemplate(
  sql: Sql,
  { teamId, clientId }: { teamId: string; clientId: string },
  {
    objective_ids,
    ...columns
  }: Partial<TemplateColumns> & { name: string; objective_ids: string[] },
  copyContent?: (id: string) => Promise<unknown>,
): Promise<TemplateRow> {
  await checkQuota(sql, teamId, {
    name: 'templates',
    limit: maxTemplates,
    count: countRows('templates'),
  });
  const id = await insertTemplate(sql, teamId, columns);
  await setObjectives(sql, teamId, id, objective_ids);
  await copyContent?.(id);
  const row = await requireTemplate(sql, teamId, id);
  await insertStatusChange(sql, row, {
    from_status: null,
    action: copyContent ? 'duplicate' : 'create',
    cause: 'api',
    client_id: clientId,
    occurred_at: row.inserted_at,
  });
  await recordTemplateEvent(sql, templateCreated, row);
  return row;
}

/**
 * Applies every transition whose time has come; the row is locked. A launch of a suspended team
 * waits. One whose client may no longer launch fails, like one of an incomplete template.
 */
export async function applyDue(sql: Sql, row: TemplateRow, asOfMs: number): Promise<TemplateRow> {
  const timer: Actor = { cause: 'timer', clientId: null, nowMs: asOfMs };
  let current = row;
  for (let due = dueTransition(row, asOfMs); due; due = dueTransition(current, asOfMs)) {
    const isLaunch = due.action === 'launch';
    if (isLaunch && (await isTeamSuspended(sql, row.team_id))) return current;
    const missing = isLaunch
      ? [...(await findMissing(sql, current)), ...(await missingRights(sql, current))]
      : [];
    current =
      missing.length > 0
        ? await changeStatus(sql, current, 'fail_launch', timer, { missing })
        : await changeStatus(sql, current, due.action, timer);
  }
  return current;
}

/**
 * Applies an action to a locked template, with its version, messages, history and event. Throws
 * 409, and 422 if the template must be complete and is not. An action without a change leaves the
 * row unchanged.
 */
export async function changeStatus(
  sql: Sql,
  row: TemplateRow,
  action: TemplateAction,
  actor: Actor,
  about: { scheduledAt?: string; missing?: string[]; mustBeComplete?: boolean } = {},
): Promise<TemplateRow> {
  const outcome = applyAction(row, action, actor.nowMs);
  if ('refusal' in outcome) throw refuse(row, action, outcome.refusal);
  if (about.mustBeComplete) await checkComplete(sql, row);
  const { locked_at: lockedAt = row.locked_at } = outcome.changes;
  const changes = {
    ...outcome.changes,
    ...(lockedAt !== row.locked_at && { locked_by: lockedAt === null ? null : actor.clientId }),
    ...(about.scheduledAt !== undefined && { scheduled_at: about.scheduledAt }),
  };
  if (!changedFields(Template, row, { ...row, ...changes })) return row;

  const begins = action === 'launch' || action === 'resume';
  const version = begins ? { template_version: await takeVersion(sql, row) } : {};
  const changed = await updateTemplate(sql, row.team_id, row.id, { ...changes, ...version });
  if (changed.status !== row.status || action === 'schedule') {
    await insertStatusChange(sql, changed, {
      from_status: row.status,
      action,
      cause: actor.cause,
      client_id: actor.clientId,
      occurred_at: new Date(actor.nowMs).toISOString(),
    });
  }
  if (action === 'launch') await templateLaunched(sql, changed.team_id, changed);
  await recordTemplateEvent(sql, eventOf[action], changed, row, about.missing);
  return changed;
}

/** Applies an action of a client to a template that is locked. Throws 409, and 422 as above. */
export async function actOn(
  sql: Sql,
  row: TemplateRow,
  action: ClientAction,
  clientId: string,
  scheduledAt?: string,
): Promise<TemplateRow> {
  const problems = dateProblemsOf({ scheduled_at: scheduledAt }, row);
  if (problems.length > 0) throw failAll(problems);
  const actor = { cause: 'api', clientId, nowMs: Date.now() } as const;
  const changed = await changeStatus(sql, row, action, actor, {
    mustBeComplete: action === 'launch' || action === 'schedule',
    ...(scheduledAt !== undefined && { scheduledAt }),
  });
  await signalIfNeeded(sql, row, changed);
  return changed;
}

/** Stores an event about a template; `before` gives "updated" its `previous`. */
export async function recordTemplateEvent(
  sql: Sql,
  type: EventType,
  row: TemplateRow,
  before?: TemplateRow,
  missing?: string[],
): Promise<void> {
  const previous =
    type === templateUpdated && before ? changedFields(Template, before, row) : undefined;
  recordEvent(sql, {
    teamId: row.team_id,
    type,
    data: { ...row, ...(missing && { missing }) },
    sequence: row.lock_version,
    ...(previous && { previous }),
  });
}

/** Signals the workflow of the template if the next steps of the template or its journeys change. */
export async function signalIfNeeded(sql: Sql, before: TemplateRow, after: TemplateRow) {
  const isRequested = await requestResyncIfNeeded(sql, before, after);
  if (!isRequested && !affectsWorkflow(before, after)) return;
  await signalJob(sql, templateJob, after.id, after.team_id);
}

/** Requests a resync of the journeys if the change affects them. */
export async function requestResyncIfNeeded(
  sql: Sql,
  before: TemplateRow,
  after: TemplateRow,
): Promise<boolean> {
  if (!affectsJourneys(before, after)) return false;
  await journeysOutdated(sql, after.team_id, after);
  return true;
}

/** Parts that the template lacks before it can launch. */
export async function findMissing(sql: Sql, row: TemplateRow): Promise<string[]> {
  const { team_id, id } = row;
  const pages = await listSteps<PageRow>(sql, pageSteps, team_id, id);
  const messages = await listSteps<MessageRow>(sql, messageSteps, team_id, id);
  return [
    ...missingParts({ ...row, messages }),
    ...(await missingCohorts(sql, row)),
    ...(await missingContent(sql, team_id, pages, messages)),
  ];
}

async function checkComplete(sql: Sql, row: TemplateRow): Promise<void> {
  const missing = await findMissing(sql, row);
  if (missing.length === 0) return;
  throw fail('template_incomplete', {
    detail: `The template lacks: ${missing.join(', ')}.`,
    meta: { resource: 'template', missing },
  });
}

/**
 * Stores the content for later sends as a version; a resume without an edit reuses the last one.
 */
async function takeVersion(sql: Sql, row: TemplateRow): Promise<number> {
  const { team_id, id } = row;
  await activateMessages(sql, team_id, id);
  const { use_case, holdout_percent, entry, reentry, reentry_interval } = row;
  const { exit_on_objectives, exit_on_leaving_cohort } = row;
  const { target_cohort_ids, exclusion_cohort_ids, secure_personalization, objective_ids } = row;
  const pages = await listSteps<PageRow>(sql, pageSteps, team_id, id);
  const messages = await listSteps<MessageRow>(sql, messageSteps, team_id, id);
  const blockIds = new Set([...pages, ...messages].flatMap((step) => step.content_block_ids));
  const content_blocks = await findBlocks(sql, team_id, [...blockIds]);
  return keepVersion(sql, row, {
    use_case,
    holdout_percent,
    entry,
    reentry,
    reentry_interval,
    exit_on_objectives,
    exit_on_leaving_cohort,
    target_cohort_ids,
    exclusion_cohort_ids,
    secure_personalization,
    objective_ids,
    pages,
    messages,
    content_blocks,
  });
}
