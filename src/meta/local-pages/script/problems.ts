import { element } from '../../../widget/script/dom.ts';
import { Problem } from './api.ts';
import { remedyOf } from './operations.ts';
import { isPortal } from './session.ts';
import { copyable } from './shown.ts';

/** A sentence for a part that the token may not read. */
export function scopeNote(scopes: readonly string[], subject = 'This part'): HTMLElement {
  const names = scopes.flatMap((scope, at) => [
    ...(at > 0 ? [', '] : []),
    element('code', {}, scope),
  ]);
  const noun = scopes.length > 1 ? 'scopes' : 'scope';
  return element(
    'p',
    { class: 'note' },
    `${subject} needs the ${noun} `,
    ...names,
    ', which the token lacks. Ask for a token with it.',
  );
}

/** The token opens nothing any more. */
export const isOfToken = (code: string) => code === 'token_invalid' || code === 'token_expired';

/** An error with what is wrong, what to do, and the id to name when one asks for help. */
export function problemNote(error: unknown): HTMLElement {
  if (!(error instanceof Problem)) {
    const text = error instanceof TypeError ? 'The service does not answer.' : String(error);
    return element('div', { class: 'note bad', role: 'alert' }, element('p', {}, text));
  }
  const { code, message, detail, requestId, missingScopes } = error;
  if (code === 'scope_missing' && missingScopes.length > 0) return scopeNote(missingScopes);
  if (isPortal && isOfToken(code)) {
    const text = 'This session is over. Request a new link where you got it.';
    return element('p', { class: 'note bad', role: 'alert' }, text);
  }
  const remedy = remedyOf(code);
  const isCode = /^[a-z_]+$/.test(code);
  return element(
    'div',
    { class: 'note bad', role: 'alert' },
    element('p', {}, element('strong', {}, message), detail === '' ? '' : ` ${detail}`),
    ...(remedy === undefined ? [] : [element('p', {}, remedy)]),
    element(
      'p',
      { class: 'small' },
      ...(isCode ? [element('a', { href: `/docs/errors/${code}` }, code), ' '] : []),
      copyable(requestId, 'the id of the request'),
    ),
  );
}
