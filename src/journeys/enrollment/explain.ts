import type { Principal } from '../../platform/auth/principal.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { TemplateRow } from '../../campaigns/templates/queries.ts';
import type { JourneyRow } from '../journey.ts';
import { requireJourney } from '../queries.ts';
import { refusalWords, refusals } from '../rules.ts';
import type { Refusal } from '../rules.ts';
import { takesRecipients } from './enroll.ts';
import { evaluateContact, listSteps } from './queries.ts';
import type { Step, StepProgress, EntryEvaluation } from './queries.ts';

const namesScope = 'partner:messages:read';

/**
 * Why a contact is in a template, or is not: every rule of entry as it stands, and what a journey
 * sends, the latest unless one is given; its messages have names for their readers only. The
 * contact is the team's.
 */
export async function explainForContact(
  sql: Sql,
  { scopes }: Principal,
  template: TemplateRow,
  contactId: string,
  shown?: JourneyRow,
) {
  const { team_id: teamId } = template;
  const evaluation = await evaluateContact(sql, template, contactId);
  const { latest_id: latestId } = evaluation;
  const latest = shown ?? (latestId === null ? null : await requireJourney(sql, teamId, latestId));
  const found = refusals.map((rule) => ({
    rule,
    refuses: refuses(rule, template, evaluation),
    detail: refusalWords[rule],
  }));
  const steps = latest ? await listSteps(sql, latest) : [];
  const first = found.find((one) => one.refuses);
  return {
    template_id: template.id,
    contact_id: contactId,
    may_enroll: first === undefined,
    rule: first?.rule ?? null,
    detail: first?.detail ?? words(template, evaluation),
    is_holdout: evaluation.is_holdout,
    rules: found,
    journey_id: latest?.id ?? null,
    journey_status: latest?.status ?? null,
    exit_reason: latest?.exit_reason ?? null,
    messages: steps.map((step) => progressOf(step, scopes.has(namesScope))),
  };
}

function progressOf(
  step: Step,
  showsName: boolean,
): Omit<StepProgress, 'name'> & { name: string | null } {
  const { message_id, name, state, due_at, delivery_id, delivery_status, skip_reason } = step;
  const shown = showsName ? name : null;
  return { message_id, name: shown, state, due_at, delivery_id, delivery_status, skip_reason };
}

function refuses(rule: Refusal, template: TemplateRow, evaluation: EntryEvaluation): boolean {
  switch (rule) {
    case 'template_not_launched':
      return !takesRecipients(template);
    case 'contact_archived':
      return evaluation.is_archived;
    case 'already_enrolled':
      return evaluation.is_open;
    case 'reentry_never':
      return template.reentry === 'never' && evaluation.has_been;
    case 'reentry_interval':
      return template.reentry === 'after_interval' && evaluation.is_too_soon;
    case 'excluded':
      return evaluation.is_excluded;
    default:
      return rule satisfies never;
  }
}

const ways: Readonly<Record<TemplateRow['entry'], string>> = {
  manual: 'Nobody has asked for it: the template takes recipients by request only.',
  on_launch_snapshot:
    'No rule refuses: the contact was no member of a target cohort when the template was launched.',
  on_cohort_entry:
    'No rule refuses: the contact has not come to a target cohort since the template was launched.',
};

function words({ entry }: TemplateRow, { has_been: hasBeen }: EntryEvaluation): string {
  return hasBeen ? 'The contact has been in the template, and may be enrolled again.' : ways[entry];
}
