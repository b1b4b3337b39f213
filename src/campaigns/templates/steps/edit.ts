import { templateUpdated } from '../../events.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { fail } from '../../../platform/http/errors.ts';
import { loadBy } from '../../../platform/lists/related.ts';
import { ContentBlock } from '../../content-blocks/content-block.ts';
import { loadBlocks } from '../../content-blocks/queries.ts';
import { checkEditable, lockForEdit, lockTemplate, recordTemplateEvent } from '../lifecycle.ts';
import { findTemplates, touchTemplate } from '../queries.ts';
import type { TemplateRow } from '../queries.ts';
import { Template } from '../template.ts';
import { deleteStep, insertStep, moveOthers, requireStep, updateStep } from './queries.ts';
import type { StepKind, StepRow } from './queries.ts';

/** Locks a template that is to get one more step. Throws 404, 409 and 422 for the quota. */
export async function lockForStep(
  sql: Sql,
  kind: StepKind,
  teamId: string,
  templateId: string,
): Promise<TemplateRow> {
  const template = await lockForEdit(sql, teamId, templateId, kind.list);
  checkRoom(kind, template);
  return template;
}

/** Throws 422 where the template has as many steps as it may. */
export function checkRoom({ list, table, max }: StepKind, template: TemplateRow): void {
  if (template[list].length < max) return;
  throw fail('quota_exceeded', {
    detail: `A template has at most ${String(max)} ${table}.`,
    meta: { quota: `template_${table}`, limit: max },
  });
}

/** Adds a step, last or at a position; the template is locked. */
export async function addStep<Row extends StepRow>(
  sql: Sql,
  kind: StepKind,
  template: TemplateRow,
  step: object,
  position?: number,
): Promise<Row> {
  const { team_id: teamId, id: templateId } = template;
  const last = template[kind.list].length;
  const at = Math.min(position ?? last, last);
  const row = await insertStep<Row>(sql, kind, { teamId, templateId }, step, at);
  await announce(sql, template);
  return row;
}

/** Locks a step by its template, as everybody does who writes one. Throws 404. */
export async function lockStep<Row extends StepRow>(
  sql: Sql,
  kind: StepKind,
  teamId: string,
  id: string,
): Promise<{ template: TemplateRow; step: Row }> {
  const { template_id } = await requireStep(sql, kind, teamId, id);
  const template = await lockTemplate(sql, teamId, template_id);
  return { template, step: await requireStep<Row>(sql, kind, teamId, id) };
}

/** The requested position, limited to the order. */
export function placeFor(
  kind: StepKind,
  template: TemplateRow,
  before: StepRow,
  requested?: number,
) {
  const ids = template[kind.list];
  if (requested === undefined || !ids.includes(before.id)) return before.position;
  return Math.min(requested, ids.length - 1);
}

/** Writes a step that was locked, at its new place. Throws 409 while the template is locked. */
export async function changeStep<Row extends StepRow>(
  sql: Sql,
  kind: StepKind,
  template: TemplateRow,
  before: StepRow,
  changes: Readonly<Record<string, unknown>> & { position: number },
): Promise<Row> {
  checkEditable(template, [kind.list]);
  await moveOthers(sql, kind, template.team_id, before, changes.position);
  const row = await updateStep<Row>(sql, kind, template.team_id, before.id, changes);
  await announce(sql, template);
  return row;
}

/** Deletes a step that was locked. Throws 409 while the template is locked. */
export async function removeStep(
  sql: Sql,
  kind: StepKind,
  template: TemplateRow,
  step: StepRow,
): Promise<void> {
  checkEditable(template, [kind.list]);
  await deleteStep(sql, kind, template.team_id, step);
  await announce(sql, template);
}

/** A change of a step is a change of its template. */
async function announce(sql: Sql, before: TemplateRow): Promise<void> {
  const after = await touchTemplate(sql, before.team_id, before.id);
  await recordTemplateEvent(sql, templateUpdated, after, before);
}

/** Resources that lists of steps can include. */
export const stepIncludes = {
  template: {
    scope: 'partner:templates:read',
    item: Template,
    many: false,
    load: loadBy('template_id', findTemplates),
  },
  content_blocks: {
    scope: 'partner:content_blocks:read',
    item: ContentBlock,
    many: true,
    load: loadBlocks,
  },
} as const;
