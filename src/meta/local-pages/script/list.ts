import { element, labeled } from '../../../widget/script/dom.ts';
import { read } from './api.ts';
import type { Filter, List } from './declared.ts';
import type { Ids, Query } from './operations.ts';
import { problemNote, scopeNote } from './problems.ts';
import { repeat } from './repeating.ts';
import { missingScopeOf } from './session.ts';
import { announce } from './shown.ts';
import { rowOf, rowsOf, textOf } from './values.ts';
import type { Row } from './values.ts';

/** Something that is drawn and may refresh itself until it is closed. */
export interface Opened {
  element: HTMLElement;
  close(): void;
  refresh(): Promise<void>;
}

/** The part of the address of the page that a list reads and writes. */
export interface ListAddress {
  chosen(filter: string): string;
  choose(filter: string, value: string): void;
  hrefOf(id: string): string;
}

/** Rows that stay on the page. */
const maxRows = 500;

interface Line {
  text: string;
  element: HTMLTableRowElement;
}

/** Draws a list: a table on a wide screen, cards on a narrow one. */
export function openList(list: List, ids: Ids, address: ListAddress): Opened {
  const { filters = [], noun, pageSize = 25 } = list;
  const missing = missingScopeOf(list.operation);
  if (missing !== undefined) return closed(scopeNote([missing], `The list of ${pluralOf(noun)}`));

  const idOf = list.idOf ?? ((row: Row) => textOf(row['id']));
  const lines = new Map<string, Line>();
  const body = element('tbody', { role: 'rowgroup' });
  const table = tableOf(list, body);
  const note = element('div', { class: 'list-note' });
  const older = element('button', { type: 'button', class: 'older', hidden: true }, 'Older');
  let cursor = '';
  let asked = 0;
  let isPaged = false;

  const query = (): Query =>
    Object.fromEntries([
      ...Object.entries(list.query?.() ?? {}),
      ['page[size]', String(pageSize)],
      ...filters.flatMap((one) => Object.entries(queryOf(one, address.chosen(one.name)))),
    ]);
  const isFiltered = () => filters.some(({ name }) => address.chosen(name) !== '');

  const lineOf = (row: Row): Line => ({
    text: JSON.stringify(row),
    element: drawRow(list, row, list.item && address.hrefOf(list.opensAs?.(row) ?? idOf(row))),
  });

  /** Adds rows where they are in the answer, and replaces those that have changed. */
  function put(rows: readonly Row[], place: 'first' | 'last'): number {
    let fresh = 0;
    let before: HTMLElement | undefined;
    for (const row of rows) {
      const known = lines.get(idOf(row));
      const line = known?.text === JSON.stringify(row) ? known : lineOf(row);
      if (known && line !== known) replaceLine(known.element, line.element);
      if (!known) {
        fresh += 1;
        if (before) before.after(line.element);
        else if (place === 'first') body.prepend(line.element);
        else body.append(line.element);
      }
      lines.set(idOf(row), line);
      before = line.element;
    }
    return fresh;
  }

  /** Says what is there, in words if the list is empty. */
  function describe(): void {
    table.hidden = lines.size === 0;
    if (lines.size > 0) {
      note.replaceChildren();
      return;
    }
    const text = isFiltered()
      ? `No ${noun} matches. Change the filter above.`
      : typeof list.empty === 'function'
        ? list.empty()
        : list.empty;
    if (!note.querySelector('.empty')) note.replaceChildren(element('p', { class: 'empty' }, text));
  }

  /** Reads the first page; everything is drawn again if the question has changed. */
  async function load(isNew: boolean): Promise<void> {
    asked += 1;
    const mine = asked;
    if (isNew) {
      lines.clear();
      isPaged = false;
      body.replaceChildren();
      table.hidden = true;
      older.hidden = true;
      note.replaceChildren(element('p', { class: 'loading' }, 'Loading…'));
    }
    if (list.needsFilter === true && !isFiltered()) {
      describe();
      return;
    }
    try {
      const answer = await read(list.operation, { ids, query: query() });
      if (mine !== asked) return;
      const fresh = put(rowsOf(answer['data']), 'first');
      if (isNew) setCursor(answer);
      if (rowOf(answer['page'])['has_more'] === false) leave(rowsOf(answer['data']));
      trim();
      describe();
      // A refresh without news is silent.
      if (isNew) announce(`${counted(lines.size, noun)}${cursor === '' ? '' : ' and more'}`);
      else if (fresh > 0) announce(`${counted(fresh, noun)} more`);
    } catch (error) {
      if (mine !== asked) return;
      if (isNew) table.hidden = true;
      note.replaceChildren(problemNote(error));
    }
  }

  function setCursor(answer: Row): void {
    cursor = textOf(rowOf(answer['page'])['next_cursor']);
    older.hidden = cursor === '';
  }

  /** Removes rows that the whole list does not have any more. */
  function leave(rows: readonly Row[]): void {
    const ids = new Set(rows.map(idOf));
    for (const [id, { element: row }] of lines) {
      if (ids.has(id)) continue;
      row.remove();
      lines.delete(id);
    }
  }

  /** Leaves out the last rows of a page that is open for long, unless its reader went there. */
  function trim(): void {
    if (isPaged || lines.size <= maxRows) return;
    const left = new Set([...body.children].slice(maxRows));
    for (const [id, { element: row }] of lines) if (left.has(row)) lines.delete(id);
    for (const row of left) row.remove();
    older.hidden = true;
  }

  older.addEventListener('click', () => {
    older.disabled = true;
    isPaged = true;
    const mine = asked;
    void read(list.operation, { ids, query: { ...query(), 'page[after]': cursor } })
      .then((answer) => {
        if (mine !== asked) return;
        put(rowsOf(answer['data']), 'last');
        setCursor(answer);
        describe();
      })
      .catch((error: unknown) => {
        note.replaceChildren(problemNote(error));
      })
      .finally(() => (older.disabled = false));
  });

  const form = filterForm(list, address, () => void load(true));
  void load(true);
  const stop = repeat(list.refreshMs, () => load(false));
  return {
    element: element('div', { class: 'list' }, ...form, table, note, older),
    close: stop,
    refresh: () => load(false),
  };
}

const closed = (content: HTMLElement): Opened => ({
  element: content,
  close: () => undefined,
  refresh: () => Promise.resolve(),
});

const pluralOf = (noun: string) =>
  noun.endsWith('y') ? noun.replace(/y$/, 'ies') : `${noun}${noun.endsWith('ch') ? 'es' : 's'}`;

const counted = (count: number, noun: string) =>
  `${count.toLocaleString()} ${count === 1 ? noun : pluralOf(noun)}`;

function queryOf({ name, query }: Filter, value: string): Query {
  if (value === '') return {};
  return query ? query(value) : { [`filter[${name}]`]: value };
}

function filterForm(
  { title, filters = [] }: List,
  address: ListAddress,
  change: () => void,
): HTMLElement[] {
  if (filters.length === 0) return [];
  const fields = filters.map((filter) => {
    const value = address.chosen(filter.name);
    const field = filter.options
      ? element(
          'select',
          { name: filter.name },
          ...filter.options.map(([option, label]) =>
            element('option', { value: option, selected: option === value }, label),
          ),
        )
      : element('input', { name: filter.name, value, placeholder: filter.placeholder ?? 'any' });
    field.addEventListener('change', () => {
      const id = filter.opens?.(field.value.trim());
      if (id !== undefined) {
        location.hash = address.hrefOf(id);
        return;
      }
      address.choose(filter.name, field.value.trim());
      change();
    });
    return labeled(filter.label, field);
  });
  const form = element(
    'form',
    { class: 'filters', autocomplete: 'off', 'aria-label': `Filters of ${title}` },
    ...fields,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
  });
  return [form];
}

// The roles are named: a table that is drawn as cards has none of its own.
function tableOf({ columns, title, item }: List, body: HTMLElement): HTMLTableElement {
  const heads = columns.map((column) =>
    element('th', { scope: 'col', role: 'columnheader' }, column.title),
  );
  return element(
    'table',
    { class: item ? 'rows opens' : 'rows', role: 'table', 'aria-label': title, hidden: true },
    element('thead', { role: 'rowgroup' }, element('tr', { role: 'row' }, ...heads)),
    body,
  );
}

function drawRow(list: List, row: Row, href: string | undefined): HTMLTableRowElement {
  const cells = list.columns.map(({ title, as, isBare, draw }) => {
    const shown = draw(row);
    const content =
      as === 'main' && href !== undefined
        ? element('a', { href, class: 'open' }, shown === '' ? '–' : shown)
        : shown;
    return element(
      'td',
      {
        role: 'cell',
        class: as ?? (shown === '' ? 'none' : isBare === true ? 'bare' : ''),
        'data-label': title,
      },
      content,
    );
  });
  return element('tr', { role: 'row' }, ...cells);
}

/** Replaces a row, and leaves the focus in it. */
function replaceLine(before: HTMLElement, after: HTMLElement): void {
  const hadFocus = before.contains(document.activeElement);
  before.replaceWith(after);
  if (hadFocus) after.querySelector<HTMLElement>('a.open')?.focus();
}
