import { element, labeled, onSubmit } from '../../../widget/script/dom.ts';
import { newKey, read } from './api.ts';
import type { Action, Field } from './declared.ts';
import type { Ids } from './operations.ts';
import { problemNote } from './problems.ts';
import { mayCall } from './session.ts';
import { announce } from './shown.ts';
import type { Row } from './values.ts';

/** Buttons for what the token may do with a thing as it is; none for anything else. */
export function actionButtons(
  actions: readonly Action[],
  ids: Ids,
  row: Row,
  change: () => Promise<void>,
): HTMLElement[] {
  const buttons = actions
    .filter(({ operation, isFor }) => mayCall(operation) && isFor?.(row) !== false)
    .map((action) => {
      const button = element('button', { type: 'button' }, `${action.label}…`);
      button.addEventListener('click', () => {
        openDialog(action, ids, row, change);
      });
      return button;
    });
  return buttons.length === 0 ? [] : [element('div', { class: 'actions' }, ...buttons)];
}

/** Asks before anything is sent; where the API can count what it would do, that comes first. */
function openDialog(action: Action, ids: Ids, row: Row, change: () => Promise<void>): void {
  const { label, operation, fields = [], preview } = action;
  const outcome = element('div', { 'aria-live': 'polite' });
  const drawn = fields.map((field) => ({ name: field.name, made: fieldOf(field) }));
  const cancel = element('button', { type: 'button' }, 'Cancel');
  const confirm = element('button', { class: 'primary' }, preview ? 'Count first' : label);
  const form = element(
    'form',
    {},
    element('h2', { id: 'dialog-title' }, label),
    element('p', {}, action.text(row)),
    ...fields.map(({ label: text }, at) => labeled(text, drawn[at]?.made ?? element('input'))),
    outcome,
    element('div', { class: 'actions' }, confirm, cancel),
  );
  const dialog = element('dialog', { 'aria-labelledby': 'dialog-title' }, form);
  // The same confirmation, sent twice, has one effect.
  const key = newKey();
  let counted: Row | undefined;
  let isDone = false;

  async function send(isDry: boolean): Promise<void> {
    const values = Object.fromEntries(drawn.map(({ name, made }) => [name, made.value]));
    // The counted request is the one that is sent in the end.
    const body = counted ?? action.body?.(values, row);
    const sent = isDry ? { ...body, dry_run: true } : body;
    const answer = await read(operation, { ids, body: sent, key: isDry ? newKey() : key });
    if (isDry && preview) {
      counted = body ?? {};
      outcome.replaceChildren(element('p', { class: 'note' }, preview(answer)));
      confirm.textContent = label;
      for (const { made } of drawn) made.disabled = true;
      return;
    }
    isDone = true;
    outcome.replaceChildren(element('p', { class: 'note good' }, action.done(answer)));
    announce(action.done(answer));
    confirm.remove();
    cancel.textContent = 'Close';
    cancel.focus();
    await change();
  }

  onSubmit(form, async () => {
    confirm.disabled = true;
    try {
      await send(preview !== undefined && counted === undefined);
    } catch (error) {
      outcome.replaceChildren(problemNote(error));
    }
    confirm.disabled = isDone;
  });
  cancel.addEventListener('click', () => {
    dialog.close();
  });
  dialog.addEventListener('close', () => {
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
}

function fieldOf({ options, type = 'text', value = '' }: Field) {
  if (!options) return element('input', { type, value });
  return element(
    'select',
    {},
    ...options.map(([option, text]) =>
      element('option', { value: option, selected: option === value }, text),
    ),
  );
}
