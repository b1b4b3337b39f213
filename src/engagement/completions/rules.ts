import type { Problem } from '../../platform/http/errors.ts';

const clockToleranceMs = 5 * 60_000;

/** The facts about a requested completion. */
interface Requested {
  objective: { archived_at: string | null; is_active: boolean };
  completedMs: number;
  /** Whether the team has the contact, and the contact the account, where one is named. */
  hasContact: boolean;
  hasAccount: boolean;
}

/** Problems of a requested completion; empty if it may be recorded. */
export function completionProblems(requested: Requested, nowMs: number): Problem[] {
  const { completedMs, hasContact, hasAccount } = requested;
  const problems: Problem[] = [];
  const report = (pointer: string, rule: string, detail: string) =>
    problems.push({ code: 'validation_failed', detail, meta: { pointer, rule } });
  if (completedMs > nowMs + clockToleranceMs) {
    report('/completed_at', 'max', 'completed_at lies more than five minutes ahead.');
  }
  if (!hasContact) report('/contact_id', 'reference_not_found', 'The team has no such contact.');
  else if (!hasAccount) {
    report('/account_id', 'reference_not_found', 'The contact has no such account.');
  }
  return problems.length > 0 ? problems : stateProblems(requested.objective);
}

/** Only an active objective is completed. */
function stateProblems({ archived_at, is_active }: Requested['objective']): Problem[] {
  if (archived_at === null && is_active) return [];
  const state = archived_at === null ? 'inactive' : 'archived';
  return [
    {
      code: 'invalid_state_transition',
      detail: `The objective is ${state}.`,
      meta: {
        resource: 'objective',
        state,
        action: 'complete',
        allowed_actions: archived_at === null ? [] : ['unarchive'],
      },
    },
  ];
}
