import type { Ids, Query } from './operations.ts';
import type { Shown } from './shown.ts';
import type { Row } from './values.ts';

// A page is declared by these types; list.ts, item.ts, actions.ts and page.ts draw it.

export interface Column {
  title: string;
  /** Its place on a phone: the first line of the card, its right edge, or among the facts below. */
  as?: 'main' | 'status';
  /** On a phone it is understood without its title. */
  isBare?: boolean;
  draw(row: Row): Shown;
}

export interface Filter {
  name: string;
  label: string;
  /** Without options it is a text field. */
  options?: readonly (readonly [value: string, label: string])[];
  /** Query of a value; `filter[name]=value` if left out. */
  query?(value: string): Query;
  placeholder?: string;
  /** The id that a value names itself: it is opened instead of searched. */
  opens?(value: string): string | undefined;
}

export interface List {
  /** In the address of the page. */
  name: string;
  title: string;
  operation: string;
  query?(): Query;
  columns: readonly Column[];
  filters?: readonly Filter[];
  /** One thing in words, such as `request`. */
  noun: string;
  /** Sentences for a list without rows: without a filter, and what to do. */
  empty: Shown | (() => Shown);
  /** Nothing is asked for before a filter is set. */
  needsFilter?: boolean;
  /** Pause between refreshes; none if left out. */
  refreshMs?: number;
  pageSize?: number;
  /** Identifies a row; their `id` if left out. */
  idOf?(row: Row): string;
  /** The id by which a row is opened, where it is another one. */
  opensAs?(row: Row): string;
  item?: Item;
}

export interface Item {
  /** A view of its own, or a panel next to its list. */
  opens: 'view' | 'panel';
  /** Path parameters that its id fills. */
  params: readonly string[];
  /** Reads it; `query` and `pick` are for one that only a list answers. */
  operation: string;
  query?(id: string): Query;
  pick?(answer: Row, id: string): Row | undefined;
  title(row: Row): string;
  status?(row: Row): Shown;
  actions?: readonly Action[];
  parts: readonly Part[];
  refreshMs?: number;
  /** Sentences instead of an error, by its code. */
  refusals?: Readonly<Record<string, string>>;
}

/** A part of an item: of its own row, of another operation, or a list. */
export type Part = DrawnPart | ListPart;

export interface DrawnPart {
  title: string;
  /** Read for this part; without it the part is drawn from the item. */
  operation?: string;
  query?(row: Row): Query;
  /** Path parameters besides those of the item. */
  ids?(row: Row): Ids;
  isFor?(row: Row): boolean;
  draw(answer: Row, row: Row): readonly Shown[];
}

export interface ListPart {
  title: string;
  list: List;
}

export interface Action {
  label: string;
  operation: string;
  isFor?(row: Row): boolean;
  /** The effect, in a sentence. */
  text(row: Row): string;
  fields?: readonly Field[];
  body?(values: Query, row: Row): Row;
  /** The same call with `dry_run` comes first; says what would be done. */
  preview?(answer: Row): string;
  done(answer: Row): string;
}

export interface Field {
  name: string;
  label: string;
  options?: readonly (readonly [value: string, label: string])[];
  type?: 'text' | 'datetime-local';
  value?: string;
}
