import { actionNotAllowed, fail } from '../../platform/http/errors.ts';
import type { HttpError } from '../../platform/http/errors.ts';
import type { TemplateRow } from './queries.ts';
import { allowedActions } from './rules.ts';
import type { Refusal, TemplateAction } from './rules.ts';

/** The 409 of an action that the state does not allow. */
export function illegal(row: TemplateRow, action: string): HttpError {
  const { status: state } = row;
  return actionNotAllowed('template', { state, action, allowed: allowedActions(state) });
}

/** The error of an action that the rules refuse. */
export function refuse(row: TemplateRow, action: TemplateAction, refusal: Refusal): HttpError {
  switch (refusal) {
    case 'invalid_state_transition':
      return illegal(row, action);
    case 'template_locked':
      return fail(refusal, {
        detail: `A template that is ${row.status} stays locked; pause or unschedule it first.`,
        meta: refusalMeta(row, action),
      });
    case 'deadline_passed':
      return fail(refusal, {
        detail: 'The deadline_at of the template has passed.',
        meta: refusalMeta(row, action),
      });
    default:
      return refusal satisfies never;
  }
}

function refusalMeta({ status }: TemplateRow, action: string) {
  return { resource: 'template', state: status, action, allowed_actions: allowedActions(status) };
}
