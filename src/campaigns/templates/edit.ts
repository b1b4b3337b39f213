import type { Static } from 'typebox';
import type { Sql } from '../../platform/database/sql.ts';
import { changedFields } from '../../platform/events/record.ts';
import { templateUpdated } from '../events.ts';
import { writeFields } from '../../platform/schema/fields.ts';
import { fail, failAll } from '../../platform/http/errors.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { inUtc } from '../../platform/time/rules.ts';
import { unknownCohorts } from '../../cohorts/queries.ts';
import { unknownObjectives } from '../objectives/queries.ts';
import { messageSteps } from '../messages/message.ts';
import { pageSteps } from '../pages/page.ts';
import { checkEditable, dateProblemsOf, recordTemplateEvent } from './lifecycle.ts';
import { setObjectives, updateTemplate } from './queries.ts';
import type { TemplateRow } from './queries.ts';
import { reorderSteps } from './steps/queries.ts';
import { isPermutation, mayChangeHoldout } from './rules.ts';
import { Template } from './template.ts';
import type { TemplatePatch } from './template.ts';

/** Columns that hold just what clients write. */
const writtenColumns = [
  'name',
  'use_case',
  'description',
  'deadline_at',
  'holdout_percent',
  'send_rate_per_minute',
  'exit_on_objectives',
  'exit_on_leaving_cohort',
  'entry',
  'reentry',
  'reentry_interval',
  'target_cohort_ids',
  'exclusion_cohort_ids',
  'secure_personalization',
] as const;
type WrittenColumn = (typeof writtenColumns)[number];

/** The fields of a template that a client writes, and the status that restricts some of them. */
export type Content = Pick<
  TemplateRow,
  WrittenColumn | 'status' | 'scheduled_at' | 'objective_ids' | 'page_ids' | 'message_ids'
>;

/** A template before anything is written. */
export const noContent: Content = {
  name: '',
  use_case: null,
  description: null,
  status: 'draft',
  scheduled_at: null,
  deadline_at: null,
  holdout_percent: null,
  send_rate_per_minute: null,
  exit_on_objectives: true,
  exit_on_leaving_cohort: false,
  entry: 'manual',
  reentry: 'never',
  reentry_interval: null,
  target_cohort_ids: [],
  exclusion_cohort_ids: [],
  secure_personalization: { enabled: false, factors: [], max_attempts: 5, lockout_minutes: 15 },
  objective_ids: [],
  page_ids: [],
  message_ids: [],
};

/** A template as a body wants it: absent leaves a field, null clears it. */
export function merge<Row extends Content>(row: Row, body: Static<typeof TemplatePatch>): Row {
  const { secure_personalization: security } = body;
  const requested = {
    ...row,
    ...writeFields<Content, PlainColumn>(row, body, plainColumns),
    scheduled_at: given(inUtc(body.scheduled_at), row.scheduled_at),
    deadline_at: given(inUtc(body.deadline_at), row.deadline_at),
    secure_personalization: security
      ? { ...noContent.secure_personalization, ...security }
      : row.secure_personalization,
    target_cohort_ids: body.target_cohort_ids?.map(toLower) ?? row.target_cohort_ids,
    exclusion_cohort_ids: body.exclusion_cohort_ids?.map(toLower) ?? row.exclusion_cohort_ids,
    objective_ids: body.objective_ids?.map(toLower) ?? row.objective_ids,
    page_ids: body.page_ids?.map(toLower) ?? row.page_ids,
    message_ids: body.message_ids?.map(toLower) ?? row.message_ids,
  };
  return requested;
}

const plainColumns = [
  'name',
  'use_case',
  'description',
  'holdout_percent',
  'send_rate_per_minute',
  'exit_on_objectives',
  'exit_on_leaving_cohort',
  'entry',
  'reentry',
  'reentry_interval',
] as const;
type PlainColumn = (typeof plainColumns)[number];

const given = <Value>(value: Value | undefined, otherwise: Value) =>
  value === undefined ? otherwise : value;
const toLower = (id: string) => id.toLowerCase();

export function columnsOf(content: Content): Pick<Content, WrittenColumn> {
  return writeFields<Content, WrittenColumn>(content, {}, writtenColumns);
}

/** The fields in which two differ. */
export function differences(before: Content, requested: Content): string[] {
  return Object.keys(changedFields(Template, before, requested) ?? {});
}

/** Throws 422 for everything that is wrong with the fields that a body changes. */
export async function checkContent(
  sql: Sql,
  teamId: string,
  before: Content,
  requested: Content,
): Promise<void> {
  const changed = differences(before, requested);
  const problems: Problem[] = [];
  const written = {
    ...(changed.includes('scheduled_at') && { scheduled_at: requested.scheduled_at }),
    ...(changed.includes('deadline_at') && { deadline_at: requested.deadline_at }),
  };
  problems.push(...dateProblemsOf(written, before));
  for (const field of ['page_ids', 'message_ids'] as const) {
    if (isPermutation(requested[field], before[field])) continue;
    problems.push(
      invalid(`/${field}`, 'permutation', `${field} can be put in another order here, not changed`),
    );
  }
  if (changed.includes('holdout_percent') && !mayChangeHoldout(before.status)) {
    problems.push({
      code: 'immutable_field',
      detail: 'holdout_percent cannot be changed after the launch.',
      meta: { pointer: '/holdout_percent' },
    });
  }
  if ((requested.reentry === 'after_interval') !== (requested.reentry_interval !== null)) {
    const detail = 'reentry_interval goes with the reentry after_interval';
    problems.push(invalid('/reentry_interval', 'required', detail));
  }
  for (const field of ['target_cohort_ids', 'exclusion_cohort_ids'] as const) {
    if (!changed.includes(field)) continue;
    const unknown = await unknownCohorts(sql, teamId, requested[field]);
    requested[field].forEach((id, at) => {
      if (!unknown.has(id)) return;
      const pointer = `/${field}/${String(at)}`;
      problems.push(invalid(pointer, 'reference_not_found', 'the team has no such cohort'));
    });
  }
  if (changed.includes('objective_ids')) {
    const unknown = await unknownObjectives(sql, teamId, requested.objective_ids);
    requested.objective_ids.forEach((id, at) => {
      if (!unknown.has(id)) return;
      const pointer = `/objective_ids/${String(at)}`;
      problems.push(invalid(pointer, 'reference_not_found', 'the team has no such objective'));
    });
  }
  if (problems.length > 0) throw failAll(problems);
}

function invalid(pointer: string, rule: string, detail: string): Problem {
  return { code: 'validation_failed', detail: `${detail}.`, meta: { pointer, rule } };
}

/** Throws 409 for changes that the state of the template does not allow. */
export function checkState(row: TemplateRow, changed: readonly string[]): void {
  checkEditable(row, changed);
  if (row.status === 'expired' && changed.includes('deadline_at')) {
    throw fail('deadline_passed', {
      detail: 'The template has expired; its deadline_at can no longer be changed.',
      meta: { resource: 'template', state: row.status },
    });
  }
}

/** Writes what a body changes, but the schedule, which is a transition; with its event. */
export async function writeContent(
  sql: Sql,
  before: TemplateRow,
  requested: TemplateRow,
): Promise<TemplateRow> {
  const { team_id, id } = before;
  const changed = differences({ ...before, scheduled_at: requested.scheduled_at }, requested);
  if (changed.length === 0) return before;
  if (changed.includes('objective_ids')) {
    await setObjectives(sql, team_id, id, requested.objective_ids);
  }
  if (changed.includes('page_ids')) {
    await reorderSteps(sql, pageSteps, team_id, id, requested.page_ids);
  }
  if (changed.includes('message_ids')) {
    await reorderSteps(sql, messageSteps, team_id, id, requested.message_ids);
  }
  const after = await updateTemplate(sql, team_id, id, columnsOf(requested));
  await recordTemplateEvent(sql, templateUpdated, after, before);
  return after;
}
