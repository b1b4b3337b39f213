import { element } from '../../../widget/script/dom.ts';
import type { List } from './declared.ts';
import { badge, codeBlock, copyable, facts, indented, words } from './shown.ts';
import { rowOf, rowsOf, textOf } from './values.ts';
import type { Row } from './values.ts';

/** The field of an item that an error is about, from the pointer into it. */
const pointOf = (error: Row) =>
  textOf(rowOf(error['meta'])['pointer']).replace(/^\//, '').replaceAll('/', '.') ||
  textOf(rowOf(error['meta'])['column']);

const firstError = (row: Row) => rowsOf(row['errors'])[0] ?? {};

const errorNotes = (row: Row) =>
  rowsOf(row['errors']).map((error) =>
    element(
      'div',
      { class: 'note bad' },
      element('p', {}, textOf(error['detail'])),
      element(
        'p',
        { class: 'small' },
        [pointOf(error), textOf(error['code'])].filter(Boolean).join(' · '),
      ),
    ),
  );

/** Items of a run; `index` counts from zero, people count rows from one. */
export const itemsOf = (operation: string): List => ({
  name: 'items',
  title: 'Items',
  noun: 'item',
  operation,
  refreshMs: 5_000,
  idOf: (row) => textOf(row['index']),
  empty: 'No item has been applied so far.',
  filters: [
    {
      name: 'status',
      label: 'Show',
      options: [
        ['', 'All items'],
        ['failed', 'Failed'],
        ['created', 'Created'],
        ['updated', 'Updated'],
        ['unchanged', 'Unchanged'],
        ['skipped', 'Skipped'],
      ],
    },
  ],
  columns: [
    { title: 'Item', as: 'main', draw: (row) => `Item ${String(Number(row['index']) + 1)}` },
    { title: 'Status', as: 'status', draw: (row) => badge(textOf(row['status'])) },
    { title: 'Field', draw: (row) => pointOf(firstError(row)) },
    { title: 'Reason', isBare: true, draw: (row) => textOf(firstError(row)['detail']) },
    { title: 'Result', isBare: true, draw: (row) => words(textOf(row['resource_type'])) },
  ],
  item: {
    opens: 'panel',
    params: [],
    operation,
    query: (index) => ({ 'filter[index]': index, 'page[size]': '1' }),
    pick: (answer) => rowsOf(answer['data'])[0],
    title: (row) => `Item ${String(Number(row['index']) + 1)}`,
    status: (row) => badge(textOf(row['status'])),
    parts: [
      {
        title: '',
        draw: (row) => [
          ...errorNotes(row),
          ...facts(
            ['Index in the file', textOf(row['index'])],
            ['Resource', words(textOf(row['resource_type']))],
            ['Resource id', copyable(row['resource_id'], 'the resource id')],
          ),
          ...codeBlock('Errors', rowsOf(row['errors']).length > 0 ? indented(row['errors']) : ''),
        ],
      },
    ],
  },
});
