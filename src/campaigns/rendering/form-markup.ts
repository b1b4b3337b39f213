import { escapeHtml } from '../../platform/content/html.ts';
import type { FormBody } from '../content-blocks/content-block.ts';
import { kindOf, maxLengthOf, purposeOf } from './form-fields.ts';
import type { FormField } from './form-fields.ts';
import { formWordsFor } from './form-words.ts';

/** Turns sources of Liquid into escaped text, in the language of the reader. */
interface FormPen {
  locale: string;
  text(source: string): string;
}

/** Input of a visitor, by the names of the fields. */
export type Entries = ReadonlyMap<string, string>;

/** A problem with a field, worded for the person who fills in the form. */
export interface FieldProblem {
  name: string;
  message: string;
}

/** Names that no field can have: the proof of a showing, and a field for machines. */
export const proofName = '_form';
export const trapName = '_reply';

/** State of a form: as it was opened, or with its input and the problems of it. */
export interface FormState {
  token: string;
  entries: Entries;
  problems: readonly FieldProblem[];
}

/** A form as it is opened, which a script sends. */
export function scriptedFormMarkup(key: string, form: FormBody, pen: FormPen): string {
  const sent =
    form.success_message === undefined ? '' : ` data-sent="${pen.text(form.success_message)}"`;
  return documentOf(key, form, pen, { attributes: sent });
}

/** A form that needs no script; its action is the page itself, without the query. */
export function formMarkup(key: string, form: FormBody, pen: FormPen, state: FormState): string {
  const { token, problems } = state;
  const words = formWordsFor(pen.locale);
  const hidden =
    `<input type="hidden" name="${proofName}" value="${escapeHtml(token)}">` +
    // Out of sight and out of the order of tabs: people leave it as it is, machines fill it in.
    `<p class="unseen" aria-hidden="true"><label>${words.leaveEmpty} <input name="${trapName}"` +
    ' tabindex="-1" autocomplete="off"></label></p>';
  const before = (problems.length > 0 ? summary(key, form, pen, problems) : '') + hidden;
  return documentOf(key, form, pen, { attributes: ' action="?"', before, state });
}

function documentOf(
  key: string,
  form: FormBody,
  pen: FormPen,
  more: { attributes: string; before?: string; state?: FormState },
): string {
  const heading = form.title === undefined ? '' : `<h2>${pen.text(form.title)}</h2>`;
  const rows = form.fields.map((field) => row(key, field, pen, more.state));
  return [
    `${heading}<form method="post"${more.attributes} id="form-${key}" novalidate>`,
    `${more.before ?? ''}${rows.join('')}`,
    `<p><button type="submit">${pen.text(form.submit_label)}</button></p></form>`,
  ].join('');
}

/** Read aloud at once, and has the focus; each line leads to its field. */
function summary(
  key: string,
  form: FormBody,
  pen: FormPen,
  problems: readonly FieldProblem[],
): string {
  const lines = form.fields.flatMap(({ name, label }) =>
    problems
      .filter((problem) => problem.name === name)
      .map(
        ({ message }) =>
          `<li><a href="#${idOf(key, name)}">${pen.text(label)}</a>: ${escapeHtml(message)}</li>`,
      ),
  );
  return (
    '<div class="form-problems" role="alert" tabindex="-1" autofocus>' +
    `<p>${formWordsFor(pen.locale).summary}</p><ul>${lines.join('')}</ul></div>`
  );
}

const idOf = (key: string, name: string) => `${key}-${name}`;

function row(key: string, field: FormField, pen: FormPen, state?: FormState): string {
  const id = idOf(key, field.name);
  const words = formWordsFor(pen.locale);
  const problem = state?.problems.find(({ name }) => name === field.name);
  const required = field.is_required ? ' required' : '';
  const wrong = problem ? ` aria-invalid="true" aria-describedby="${id}-problem"` : '';
  const agrees = field.consent === undefined ? '' : ` data-consent="${field.consent}"`;
  const common = `id="${id}" name="${field.name}"${required}${agrees}${wrong}`;
  const mark = field.is_required ? '' : ` <span class="form-optional">(${words.optional})</span>`;
  const label = `<label for="${id}">${pen.text(field.label)}${mark}</label>`;
  const said = problem
    ? `<span class="form-problem" id="${id}-problem">${escapeHtml(problem.message)}</span>`
    : '';
  const written = state?.entries.get(field.name) ?? '';
  if (kindOf(field) === 'checkbox') {
    const checked = written === '' ? '' : ' checked';
    // A script sends what browsers send of themselves.
    const value = state === undefined ? '' : ' value="yes"';
    const box = `<input type="checkbox"${value} ${common}${checked}>`;
    return `<p class="form-row">${said}${box} ${label}</p>`;
  }
  return `<p class="form-row">${label}${said}${control(field, pen, common, written)}</p>`;
}

function control(field: FormField, pen: FormPen, common: string, written: string): string {
  const kind = kindOf(field);
  if (kind === 'select') {
    const options = (field.options ?? []).map((source) => {
      const option = pen.text(source);
      const selected = option === escapeHtml(written) ? ' selected' : '';
      return `<option value="${option}"${selected}>${option}</option>`;
    });
    const { choose } = formWordsFor(pen.locale);
    return `<select ${common}><option value="">${choose}</option>${options.join('')}</select>`;
  }
  const type = { text: 'text', email: 'email', phone: 'tel', date: 'date', checkbox: 'checkbox' };
  const purpose = purposeOf(field);
  const autocomplete =
    (purpose === undefined ? '' : ` autocomplete="${purpose}"`) +
    // Keyboards of phones: no capital first, no correction of an address.
    (kind === 'email' ? ' inputmode="email" autocapitalize="none" spellcheck="false"' : '') +
    (kind === 'phone' ? ' inputmode="tel"' : '');
  const length = ` maxlength="${String(maxLengthOf(field))}"`;
  const value = ` value="${escapeHtml(written)}"`;
  return `<input type="${type[kind]}" ${common}${autocomplete}${length}${value}>`;
}

/** In place of a form that was sent. */
export function sentMarkup(key: string, form: FormBody, pen: FormPen): string {
  const { success_message } = form;
  const words = formWordsFor(pen.locale);
  return (
    `<div class="form-sent" id="form-${key}" role="status" tabindex="-1" autofocus>` +
    `<p>${success_message === undefined ? words.sent : pen.text(success_message)}</p></div>`
  );
}

/** A notice that concerns no field of a form. */
export const noticeMarkup = (words: string) =>
  `<div class="form-problems" role="alert" tabindex="-1" autofocus><p>${escapeHtml(words)}</p></div>`;

export const formStyle = `.unseen{position:absolute;inset-inline-start:-99in}
.form-row{display:grid;gap:.35rem;margin:0 0 1.25rem}.form-row label{font-weight:600}
.form-row:has([type=checkbox]){grid-template-columns:auto 1fr;align-items:start;column-gap:.6rem}
.form-row [type=checkbox]{width:1.5rem;height:1.5rem;margin:.05rem 0;accent-color:var(--fill)}
.form-row [type=checkbox]+label{font-weight:400}.form-row:has([type=checkbox]) .form-problem{grid-column:1/-1}
.form-row input:not([type=checkbox]),.form-row select{font:inherit;color:var(--text);background:var(--page);width:100%;max-width:26rem;min-height:2.9rem;padding:.5rem .75rem;border:1px solid var(--edge);border-radius:var(--radius)}
.form-row [aria-invalid]{border:2px solid var(--bad)}
.form-optional{font-weight:400;color:var(--soft)}.form-problem{color:var(--bad);font-weight:600}
.form-problems,.form-sent{border:2px solid var(--bad);border-radius:var(--radius);padding:1rem 1.25rem;margin:0 0 1.25rem;background:var(--page)}
.form-sent{border-color:var(--good);margin:0}.form-problems a{color:var(--bad)}.form-problems>:last-child,.form-sent>:last-child,form>:last-child{margin-bottom:0}`;
