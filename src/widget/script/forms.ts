import { Refusal } from './client.ts';
import { element } from './dom.ts';
import type { Words } from './words.ts';

type Control = HTMLInputElement | HTMLSelectElement;

const controlsOf = (form: HTMLFormElement): Control[] =>
  [...form.elements].filter(
    (one): one is Control => one instanceof HTMLInputElement || one instanceof HTMLSelectElement,
  );

/** The problem of a control, in the words of the recipient; undefined without one. */
function problemOf(control: Control, words: Words): string | undefined {
  const { validity, type } = control;
  const text = control.value.trim();
  if (validity.badInput) return words.date_format;
  if (validity.valueMissing || (control.required && text === '')) {
    if (type === 'checkbox') return words.tick;
    return control instanceof HTMLSelectElement ? words.choose_one : words.fill_in;
  }
  if (validity.typeMismatch && type === 'email') return words.email_format;
  const isNumber = /^[+(]?[\d\s().\-/]{5,}$/.test(text.normalize('NFKC').replace(/\p{Cf}/gu, ''));
  return type === 'tel' && text !== '' && !isNumber ? words.phone_format : undefined;
}

/** Removes the messages of the attempt before. */
function clear(form: HTMLFormElement): void {
  for (const old of form.querySelectorAll('.form-problem, .form-problems')) old.remove();
  for (const control of controlsOf(form)) {
    control.removeAttribute('aria-invalid');
    control.removeAttribute('aria-describedby');
  }
}

/** Shows a message at each control, and a list that has the focus and leads to them. */
function showProblems(
  form: HTMLFormElement,
  problems: readonly (readonly [Control, string])[],
  words: Words,
): void {
  const lines = problems.map(([control, message]) => {
    const label = control.labels?.[0];
    const id = `${control.id || control.name}-problem`;
    const said = element('span', { class: 'form-problem', id }, message);
    control.setAttribute('aria-invalid', 'true');
    control.setAttribute('aria-describedby', id);
    if (control.type === 'checkbox') control.before(said);
    else (label ?? control).after(said);
    const name = label?.firstChild?.textContent?.trim() ?? control.name;
    const link = element('a', { href: `#${control.id}` }, name);
    link.addEventListener('click', (event) => {
      // An address does not lead into a shadow root.
      event.preventDefault();
      control.focus();
    });
    return element('li', {}, link, `: ${message}`);
  });
  const summary = element(
    'div',
    { class: 'form-problems', tabindex: '-1' },
    element('p', {}, words.problem),
    element('ul', {}, ...lines),
  );
  form.prepend(summary);
  summary.focus();
}

/**
 * Checks a form and sends it, once at a time. A form that was not sent keeps what was written, and
 * says why.
 */
export function takeForm(
  form: HTMLFormElement,
  words: Words,
  send: () => Promise<void>,
  onRefused?: (error: unknown) => string | undefined,
): void {
  form.noValidate = true;
  const alert = element('p', { role: 'alert' });
  const submit = form.querySelector('[type=submit]');
  (submit?.closest('p') ?? submit)?.before(alert);
  let isSending = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (isSending) return;
    clear(form);
    alert.textContent = '';
    const problems = controlsOf(form).flatMap((control) => {
      const message = problemOf(control, words);
      return message === undefined ? [] : [[control, message] as const];
    });
    if (problems.length > 0) {
      showProblems(form, problems, words);
      return;
    }
    isSending = true;
    submit?.setAttribute('aria-disabled', 'true');
    send()
      .catch((error: unknown) => {
        const isOffline = error instanceof Refusal && error.code === 'offline';
        alert.textContent = onRefused?.(error) ?? (isOffline ? words.offline : words.failed);
      })
      .finally(() => {
        isSending = false;
        submit?.removeAttribute('aria-disabled');
      });
  });
}

/** The entries of the forms of a view, by the number of the form and the name of the field. */
export function draftOf(view: HTMLElement): Map<string, string> {
  const draft = new Map<string, string>();
  for (const [at, form] of [...view.querySelectorAll('form')].entries()) {
    for (const control of controlsOf(form)) {
      const isBox = control instanceof HTMLInputElement && control.type === 'checkbox';
      const value = isBox ? (control.checked ? 'on' : '') : control.value;
      draft.set(`${String(at)} ${control.name}`, value);
    }
  }
  return draft;
}

/** Writes a draft into the forms of a view. */
export function restore(view: HTMLElement, draft: ReadonlyMap<string, string>): void {
  for (const [at, form] of [...view.querySelectorAll('form')].entries()) {
    for (const control of controlsOf(form)) {
      const value = draft.get(`${String(at)} ${control.name}`);
      if (value === undefined) continue;
      const isBox = control instanceof HTMLInputElement && control.type === 'checkbox';
      if (isBox) control.checked = value !== '';
      else control.value = value;
    }
  }
}
