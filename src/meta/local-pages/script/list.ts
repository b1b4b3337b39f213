import { element } from '../../../widget/script/dom.ts';
import { read } from './api.ts';
import type { Filter, List } from './declared.ts';
import { filterForm, queryOf } from './filters.ts';
import type { ListAddress } from './filters.ts';
import type { Ids, Query } from './operations.ts';
import { problemNote, scopeNote } from './problems.ts';
import { repeat, untilReleased } from './repeating.ts';
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

/** Rows that stay on the page. */
const maxRows = 500;

interface Line {
  text: string;
  element: HTMLTableRowElement;
}

/** Draws a list: a table on a wide screen, cards on a narrow one. */
export function openList(list: List, ids: Ids, address: ListAddress): Opened {
  const missing = missingScopeOf(list.operation);
  return missing === undefined
    ? new DrawnList(list, ids, address)
    : closed(scopeNote([missing], `The list of ${pluralOf(list.noun)}`));
}

class DrawnList implements Opened {
  readonly element: HTMLElement;
  readonly #list: List;
  readonly #ids: Ids;
  readonly #address: ListAddress;
  readonly #filters: readonly Filter[];
  readonly #lines = new Map<string, Line>();
  readonly #body = element('tbody', { role: 'rowgroup' });
  readonly #table: HTMLTableElement;
  readonly #note = element('div', { class: 'list-note' });
  readonly #older = element('button', { type: 'button', class: 'older', hidden: true }, 'Older');
  readonly #stop: () => void;
  #cursor = '';
  #asked = 0;
  #isPaged = false;

  constructor(list: List, ids: Ids, address: ListAddress) {
    this.#list = list;
    this.#ids = ids;
    this.#address = address;
    this.#filters = list.filters ?? [];
    this.#table = tableOf(list, this.#body);
    this.#older.addEventListener('click', () => this.#readOlder());
    const form = filterForm(list, address, () => void this.#load(true));
    void this.#load(true);
    this.#stop = repeat(list.refreshMs, () => this.refresh());
    const parts = [...form, this.#table, this.#note, this.#older];
    this.element = element('div', { class: 'list' }, ...parts);
  }

  close(): void {
    this.#stop();
  }

  refresh(): Promise<void> {
    return this.#load(false);
  }

  /** Reads the first page; everything is drawn again if the question has changed. */
  async #load(isNew: boolean): Promise<void> {
    const { operation, needsFilter, noun } = this.#list;
    this.#asked += 1;
    const mine = this.#asked;
    if (isNew) this.#clear();
    if (needsFilter === true && !this.#isFiltered()) {
      this.#describe();
      return;
    }
    try {
      const answer = await read(operation, { ids: this.#ids, query: this.#query() });
      await untilReleased();
      if (mine !== this.#asked) return;
      const fresh = this.#put(rowsOf(answer['data']), 'first');
      if (isNew) this.#setCursor(answer);
      if (rowOf(answer['page'])['has_more'] === false) this.#leave(rowsOf(answer['data']));
      this.#trim();
      this.#describe();
      // A refresh without news is silent.
      const more = this.#cursor === '' ? '' : ' and more';
      if (isNew) announce(`${counted(this.#lines.size, noun)}${more}`);
      else if (fresh > 0) announce(`${counted(fresh, noun)} more`);
    } catch (error) {
      if (mine !== this.#asked) return;
      if (isNew) this.#table.hidden = true;
      this.#note.replaceChildren(problemNote(error));
    }
  }

  #clear(): void {
    this.#lines.clear();
    this.#isPaged = false;
    this.#body.replaceChildren();
    this.#table.hidden = true;
    this.#older.hidden = true;
    this.#note.replaceChildren(element('p', { class: 'loading' }, 'Loading…'));
  }

  #readOlder(): void {
    this.#older.disabled = true;
    this.#isPaged = true;
    const mine = this.#asked;
    const query = { ...this.#query(), 'page[after]': this.#cursor };
    void read(this.#list.operation, { ids: this.#ids, query })
      .then((answer) => {
        if (mine !== this.#asked) return;
        this.#put(rowsOf(answer['data']), 'last');
        this.#setCursor(answer);
        this.#describe();
      })
      .catch((error: unknown) => {
        this.#note.replaceChildren(problemNote(error));
      })
      .finally(() => (this.#older.disabled = false));
  }

  #query(): Query {
    const { query, pageSize = 25 } = this.#list;
    return Object.fromEntries([
      ...Object.entries(query?.() ?? {}),
      ['page[size]', String(pageSize)],
      ...this.#filters.flatMap((one) =>
        Object.entries(queryOf(one, this.#address.chosen(one.name))),
      ),
    ]);
  }

  #isFiltered(): boolean {
    return this.#filters.some(({ name }) => this.#address.chosen(name) !== '');
  }

  /** Adds rows where they are in the answer, and replaces those that have changed. */
  #put(rows: readonly Row[], place: 'first' | 'last'): number {
    let fresh = 0;
    let before: HTMLElement | undefined;
    for (const row of rows) {
      const known = this.#lines.get(this.#idOf(row));
      const line = known?.text === JSON.stringify(row) ? known : this.#lineOf(row);
      if (known && line !== known) replaceLine(known.element, line.element);
      if (!known) {
        fresh += 1;
        if (before) before.after(line.element);
        else if (place === 'first') this.#body.prepend(line.element);
        else this.#body.append(line.element);
      }
      this.#lines.set(this.#idOf(row), line);
      before = line.element;
    }
    return fresh;
  }

  #lineOf(row: Row): Line {
    const { item, opensAs } = this.#list;
    const href = item && this.#address.hrefOf(opensAs?.(row) ?? this.#idOf(row));
    return { text: JSON.stringify(row), element: drawRow(this.#list, row, href) };
  }

  #idOf(row: Row): string {
    return this.#list.idOf?.(row) ?? textOf(row['id']);
  }

  #setCursor(answer: Row): void {
    this.#cursor = textOf(rowOf(answer['page'])['next_cursor']);
    this.#older.hidden = this.#cursor === '';
  }

  /** Removes rows that the whole list does not have any more. */
  #leave(rows: readonly Row[]): void {
    const ids = new Set(rows.map((row) => this.#idOf(row)));
    for (const [id, { element: row }] of this.#lines) {
      if (ids.has(id)) continue;
      row.remove();
      this.#lines.delete(id);
    }
  }

  /** Leaves out the last rows of a page that is open for long, unless its reader went there. */
  #trim(): void {
    const lines = this.#lines;
    if (this.#isPaged || lines.size <= maxRows) return;
    const left = new Set([...this.#body.children].slice(maxRows));
    for (const [id, { element: row }] of lines) if (left.has(row)) lines.delete(id);
    for (const row of left) row.remove();
    this.#older.hidden = true;
  }

  /** Says what is there, in words if the list is empty. */
  #describe(): void {
    const note = this.#note;
    const { noun, empty } = this.#list;
    this.#table.hidden = this.#lines.size === 0;
    if (this.#lines.size > 0) {
      note.replaceChildren();
      return;
    }
    const text = this.#isFiltered()
      ? `No ${noun} matches. Change the filter above.`
      : typeof empty === 'function'
        ? empty()
        : empty;
    if (!note.querySelector('.empty')) note.replaceChildren(element('p', { class: 'empty' }, text));
  }
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
