import type { Principal } from '../platform/auth/principal.ts';
import type { Sql } from '../platform/database/sql.ts';
import type { EventType } from '../platform/events/event-type.ts';
import { changedFields, recordEvent } from '../platform/events/record.ts';
import { checkScopes } from '../platform/http/authorize.ts';
import { actionNotAllowed, fail, failAll } from '../platform/http/errors.ts';
import type { Problem } from '../platform/http/errors.ts';
import { signalJob } from '../platform/jobs/queries.ts';
import { cohortJob } from '../../workflows/jobs.ts';
import { Cohort } from './cohort.ts';
import { leavesOf, parseDefinition } from './definition/parse.ts';
import { scopesOf } from './definition/scopes.ts';
import type { Rule } from './definition/tree.ts';
import { cohorts, findDefinitions, findTemplateInNeed, previewRule } from './queries.ts';
import type { CohortRow } from './queries.ts';
import { maxReferenceDepth, referenceFault } from './rules.ts';

/** The rule of a definition. Throws 422 with everything that is wrong. */
export function ruleOf(definition: unknown): Rule {
  const read = parseDefinition(definition);
  if ('problems' in read) throw failAll(read.problems);
  return read.rule;
}

/** The rule of a definition that a client writes. Throws 422, and 401 for what it may not read. */
export function allowedRule(principal: Principal, definition: unknown): Rule {
  const rule = ruleOf(definition);
  checkScopes(principal, ...scopesOf(rule));
  return rule;
}

const cohortsIn = (rule: Rule, at?: string) =>
  leavesOf(rule, at).flatMap(({ pointer, leaf }) =>
    leaf.leaf === 'cohort' ? [{ id: leaf.id, pointer: `${pointer}/cohort/id` }] : [],
  );

/** Throws 422 where a definition names cohorts that are not there, or that lead back to it. */
export async function checkReferences(
  sql: Sql,
  teamId: string,
  rule: Rule,
  id: string,
): Promise<void> {
  const problems = await referenceProblems(sql, teamId, rule, { id });
  if (problems.length > 0) throw failAll(problems);
}

/** Placeholder id of a cohort that does not exist yet; no cohort has it. */
const unmade = '00000000-0000-4000-8000-000000000000';

/** Problems of the cohorts that a rule refers to; `pointer` locates the rule. */
async function referenceProblems(
  sql: Sql,
  teamId: string,
  rule: Rule,
  { id, pointer = '/definition' }: { id: string; pointer?: string },
): Promise<Problem[]> {
  const named = cohortsIn(rule, pointer);
  const references = new Map<string, readonly string[]>();
  let level = named.map((one) => one.id);
  for (let depth = 0; depth <= maxReferenceDepth && level.length > 0; depth += 1) {
    const found = await findDefinitions(sql, teamId, level);
    for (const row of found) {
      const inner = row.definition === null ? [] : cohortsIn(ruleOf(row.definition));
      references.set(
        row.id,
        inner.map((one) => one.id),
      );
    }
    level = found.flatMap((row) => references.get(row.id) ?? []);
  }
  const unknown = named.filter((one) => !references.has(one.id));
  if (unknown.length > 0) {
    return unknown.map(({ pointer: place }) => ({
      code: 'validation_failed',
      detail: 'The team has no such cohort.',
      meta: { pointer: place, rule: 'reference_not_found' },
    }));
  }
  const fault = referenceFault(
    id,
    named.map((one) => one.id),
    references,
  );
  if (!fault) return [];
  const detail =
    fault === 'cohort_cycle'
      ? 'The cohorts that it names lead back to it.'
      : `Cohorts name others at most ${String(maxReferenceDepth)} deep.`;
  const place = named[0]?.pointer ?? pointer;
  return [{ code: 'validation_failed', detail, meta: { pointer: place, rule: fault } }];
}

/**
 * Problems of a rule on contacts outside a cohort; `pointer` locates the rule. Throws 401 if the
 * client may not read data that the rule tests.
 */
export async function ruleProblems(
  sql: Sql,
  principal: Principal,
  value: object,
  pointer: string,
): Promise<readonly Problem[]> {
  const read = parseDefinition(value, pointer);
  if ('problems' in read) return read.problems;
  checkScopes(principal, ...scopesOf(read.rule));
  return referenceProblems(sql, principal.teamId, read.rule, { id: unmade, pointer });
}

/** Whom a definition means at this moment. Throws 401 and 422. */
export async function previewDefinition(sql: Sql, principal: Principal, definition: object) {
  const { teamId } = principal;
  const rule = allowedRule(principal, definition);
  await checkReferences(sql, teamId, rule, unmade);
  const { count, ids } = await previewRule(sql, teamId, rule, new Date().toISOString());
  return { count, sample_contact_ids: ids };
}

/** Signals the cohort's workflow to evaluate it. The cohort is locked. */
export async function askForEvaluation(sql: Sql, cohort: CohortRow): Promise<CohortRow> {
  const marked = await markAsked(sql, cohort);
  await wakeCohort(sql, cohort);
  return marked;
}

/**
 * Marks the cohort as queued for evaluation. The reconciler finds an evaluation that never starts.
 */
export async function markAsked(sql: Sql, cohort: CohortRow): Promise<CohortRow> {
  return cohorts.update(sql, cohort, {
    evaluation_status: 'queued',
    next_evaluation_at: new Date().toISOString(),
    // A concurrent writer may not see yet that the cohort, or its new rule, follows changes.
    is_caught_up: cohort.evaluation_mode !== 'realtime',
  });
}

/** Signals the cohort's workflow to read its schedule again. */
export async function wakeCohort(sql: Sql, { id, team_id }: CohortRow): Promise<void> {
  await signalJob(sql, cohortJob, id, team_id);
}

/** Records an event about a cohort; `before` gives "updated" its `previous`. Returns the cohort. */
export function recordCohort(
  sql: Sql,
  type: EventType,
  cohort: CohortRow,
  before?: CohortRow,
): CohortRow {
  const { team_id: teamId, lock_version: sequence } = cohort;
  const previous = before && changedFields(Cohort, before, cohort);
  recordEvent(sql, { teamId, type, data: cohort, sequence, ...(previous && { previous }) });
  return cohort;
}

/** Throws 409 while a template needs the cohort. */
export async function checkUnused(sql: Sql, cohort: CohortRow): Promise<void> {
  const template = await findTemplateInNeed(sql, cohort);
  if (!template) return;
  throw fail('cohort_in_use', {
    detail: 'A launched, paused or scheduled template uses the cohort.',
    meta: { template_id: template.id },
  });
}

/** Throws 409 if the cohort is static or archived. */
export function checkEvaluable({ kind, is_archived: isArchived }: CohortRow): void {
  if (kind === 'dynamic' && !isArchived) return;
  throw actionNotAllowed('cohort', {
    state: isArchived ? 'archived' : 'static',
    action: 'evaluate',
    allowed: [isArchived ? 'unarchive' : 'archive'],
  });
}
