import { element, onSubmit } from '../../../widget/script/dom.ts';
import { get, rowsOf, textOf } from './api.ts';
import type { Row } from './api.ts';
import { signIn, tokenOf } from './session.ts';

const renewEveryMs = 3_000;
const pageSize = 50;
/** Rows that stay on the page. */
const maxRows = 500;

const filters: Readonly<Record<string, string>> = {
  refused: '&filter[status][gte]=400',
  writes: '&filter[method][neq]=GET',
};

function detailsOf(row: Row): HTMLElement {
  const facts = [
    ['Request id', 'request_id'],
    ['Client', 'client_id'],
    ['Address', 'source_ip'],
    ['User agent', 'user_agent'],
    ['Parameters', 'query'],
    ['Bytes received', 'request_bytes'],
    ['Bytes sent', 'response_bytes'],
  ].flatMap(([name = '', field = '']) => {
    const text = textOf(row[field]);
    return text === '' ? [] : [element('dt', {}, name), element('dd', {}, text)];
  });
  const bodies = [
    ['Request body', 'request_body'],
    ['Response body', 'response_body'],
  ].flatMap(([name = '', field = '']) => {
    const text = textOf(row[field]);
    return text === '' ? [] : [element('div', {}, name), element('pre', {}, indented(text))];
  });
  const cell = element('td', { colspan: '7' }, element('dl', {}, ...facts), ...bodies);
  return element('tr', { class: 'detail', hidden: true }, cell);
}

/** JSON in lines; a body that was cut as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

/** The row of a request, and the one with its details. */
function linesOf(row: Row): HTMLElement[] {
  const status = Number(row['status']);
  const details = detailsOf(row);
  const open = element('button', { type: 'button', 'aria-expanded': 'false' }, 'Details');
  open.addEventListener('click', () => {
    details.hidden = !details.hidden;
    open.setAttribute('aria-expanded', String(!details.hidden));
  });
  const codes = (Array.isArray(row['error_codes']) ? row['error_codes'] : []).map(textOf);
  const errors = codes.map((code) => element('a', { href: `/docs/errors/${code}` }, code));
  const line = element(
    'tr',
    { 'data-id': textOf(row['id']) },
    element('td', {}, new Date(textOf(row['occurred_at'])).toLocaleTimeString()),
    element('td', { class: status < 400 ? 'good' : 'bad' }, String(status)),
    element(
      'td',
      { class: 'path' },
      element('code', {}, `${textOf(row['method'])} ${textOf(row['path'])}`),
    ),
    element('td', {}, textOf(row['operation'])),
    element('td', {}, `${textOf(row['duration_ms'])} ms`),
    element('td', {}, ...errors),
    element('td', {}, open),
  );
  return [line, details];
}

async function start(): Promise<void> {
  const form = document.querySelector('form');
  const state = document.querySelector<HTMLElement>('#state');
  const table = document.querySelector<HTMLTableElement>('.requests');
  const rows = table?.tBodies[0];
  if (!form || !state || !table || !rows) return;
  const teams = await signIn();
  let shown = '';

  const renew = async () => {
    const fields = new FormData(form);
    const token = tokenOf(fields, teams);
    const id = textOf(fields.get('request')).trim();
    const which = textOf(fields.get('which'));
    const query =
      `page[size]=${String(pageSize)}${filters[which] ?? ''}` +
      (id === '' ? '' : `&filter[request_id]=${encodeURIComponent(id)}`);
    try {
      const { data } = await get(`/v2/meta/requests?${query}`, token);
      // Another question has been asked in the meantime, or another team chosen.
      if (shown !== `${token} ${query}`) rows.replaceChildren();
      shown = `${token} ${query}`;
      const known = new Set([...rows.children].map((row) => row.getAttribute('data-id')));
      const fresh = rowsOf(data).filter((row) => !known.has(textOf(row['id'])));
      rows.prepend(...fresh.flatMap(linesOf));
      while (rows.children.length > 2 * maxRows) rows.lastElementChild?.remove();
      table.hidden = rows.children.length === 0;
      state.textContent = table.hidden
        ? 'No request of the last seven days matches.'
        : `${String(rows.children.length / 2)} requests; new ones appear by themselves.`;
    } catch (error) {
      state.textContent = error instanceof Error ? error.message : String(error);
    }
  };

  onSubmit(form, renew);
  form.addEventListener('change', () => {
    form.requestSubmit();
  });
  if (teams.length > 0) form.requestSubmit();
  setInterval(() => {
    if (shown !== '' && !document.hidden) form.requestSubmit();
  }, renewEveryMs);
}

void start();
