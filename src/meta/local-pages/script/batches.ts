import { element } from '../../../widget/script/dom.ts';
import { call } from './api.ts';
import type { Action, DrawnPart, Filter, List } from './declared.ts';
import { startPage } from './page.ts';
import { problemNote } from './problems.ts';
import { itemsOf } from './run-items.ts';
import { mayCall } from './session.ts';
import { badge, copyable, facts, fullTimeOf, meter, timeOf, words } from './shown.ts';
import { rowOf, rowsOf, textOf } from './values.ts';
import type { Row } from './values.ts';

const runStatuses = [
  'queued',
  'running',
  'succeeded',
  'succeeded_with_errors',
  'failed',
  'canceling',
  'canceled',
] as const;
const batchStatuses = ['validating', ...runStatuses] as const;
const isEnded = (row: Row) =>
  ['succeeded', 'succeeded_with_errors', 'failed', 'canceled'].includes(textOf(row['status']));
const countOf = (row: Row, name: string) => Number(row[name] ?? 0);

const processedOf = (row: Row) =>
  countOf(row, 'processed_count') || countOf(rowOf(row['progress']), 'processed');
const totalOf = (row: Row) =>
  countOf(row, 'total_count') || countOf(rowOf(row['progress']), 'total');
const failedOf = (row: Row) =>
  countOf(row, 'failed_count') || countOf(rowOf(row['summary']), 'failed');
const progressOf = (row: Row) => meter('Progress', processedOf(row), totalOf(row));

/** A file of the answers of an operation, which the reader saves. */
function saveButton(label: string, operation: string, id: string, name: string): HTMLElement {
  const note = element('div', { 'aria-live': 'polite' });
  const button = element('button', { type: 'button' }, label);
  button.addEventListener('click', () => {
    button.disabled = true;
    void call(operation, { ids: { id } })
      .then(async (response) => {
        const blob = new Blob([await response.text()], {
          type: response.headers.get('content-type') ?? 'text/plain',
        });
        const href = URL.createObjectURL(blob);
        element('a', { href, download: name }).click();
        URL.revokeObjectURL(href);
        note.replaceChildren();
      })
      .catch((error: unknown) => {
        note.replaceChildren(problemNote(error));
      })
      .finally(() => (button.disabled = false));
  });
  return element('div', { class: 'actions' }, button, note);
}

/** Figures of a run, its error as a whole, and its errors by code. */
const outcome: DrawnPart = {
  title: 'Progress',
  draw: (row) => {
    const summary = rowOf(row['summary']);
    const figures = (['succeeded', 'failed', 'skipped'] as const).map((name) =>
      element(
        'div',
        {},
        element('dt', {}, words(name)),
        element(
          'dd',
          {},
          (countOf(row, `${name}_count`) || countOf(summary, name)).toLocaleString(),
        ),
      ),
    );
    const error = rowOf(row['error']);
    const codes = rowsOf(row['error_summary']).map((one) =>
      element(
        'li',
        {},
        element('code', {}, textOf(one['code'])),
        `: ${textOf(one['count'])}, first at item ${String(Number(one['sample_index']) + 1)}`,
      ),
    );
    return [
      progressOf(row),
      element('dl', { class: 'figures' }, ...figures),
      ...(textOf(error['detail']) === ''
        ? []
        : [element('p', { class: 'note bad' }, textOf(error['detail']))]),
      ...(codes.length === 0
        ? []
        : [element('h3', {}, 'Errors by code'), element('ul', {}, ...codes)]),
    ];
  },
};

const about: DrawnPart = {
  title: 'About',
  draw: (row) =>
    facts(
      ['Operation', textOf(row['operation_kind'])],
      ['Dry run', row['dry_run'] === true ? 'Yes, nothing is kept' : ''],
      ['Source', words(textOf(row['source']))],
      ['On a failure', words(textOf(row['failure_mode']))],
      ['Started', fullTimeOf(row['started_at'])],
      ['Expected to end', isEnded(row) ? '' : fullTimeOf(row['estimated_completion_at'])],
      ['Ended', fullTimeOf(row['completed_at'])],
      ['Results kept until', fullTimeOf(row['expires_at'])],
      ['Id', copyable(row['id'], 'the id')],
      ['Retry of', copyable(row['retry_of_id'], 'the id of the first run')],
    ),
};

const runActions = (retry: string, cancel: string): readonly Action[] => [
  {
    label: 'Retry failed items',
    operation: retry,
    isFor: (row) => isEnded(row) && failedOf(row) > 0,
    text: (row) => `Applies the ${String(failedOf(row))} failed items again, in a new run.`,
    done: () => 'The retry has begun. It is the first of the list.',
  },
  {
    label: 'Cancel the run',
    operation: cancel,
    isFor: (row) => !isEnded(row) && row['status'] !== 'canceling',
    text: () => 'Stops the run. What it has applied stays so.',
    done: () => 'The run is being canceled.',
  },
];

const title = (row: Row) => textOf(row['operation_kind']);
const status = (row: Row) => badge(textOf(row['status']));

const columns: List['columns'] = [
  { title: 'Operation', as: 'main', draw: title },
  { title: 'Status', as: 'status', draw: status },
  { title: 'Progress', isBare: true, draw: progressOf },
  { title: 'Failed', draw: (row) => (failedOf(row) > 0 ? failedOf(row).toLocaleString() : '') },
  { title: 'Created', isBare: true, draw: (row) => timeOf(row['inserted_at']) },
];

const filtersOf = (statuses: readonly string[]): readonly Filter[] => [
  {
    name: 'status',
    label: 'Status',
    options: [['', 'All'], ...statuses.map((one) => [one, words(one)] as const)],
  },
  { name: 'operation_kind', label: 'Operation', placeholder: 'contacts.bulk_upsert' },
];

const batches: List = {
  name: 'batches',
  title: 'Batches',
  noun: 'batch',
  operation: 'listBatchOperations',
  refreshMs: 4_000,
  empty: () =>
    element(
      'span',
      {},
      'Your team has run no batch. ',
      element('a', { href: '/docs/guides/run-a-batch' }, 'Run a batch'),
      ' says how to apply a file.',
    ),
  filters: filtersOf(batchStatuses),
  columns,
  item: {
    opens: 'view',
    params: ['id'],
    operation: 'getBatchOperation',
    refreshMs: 3_000,
    title,
    status,
    actions: runActions('retryBatchOperation', 'cancelBatchOperation'),
    parts: [
      outcome,
      {
        title: '',
        isFor: (row) => failedOf(row) > 0 && mayCall('getBatchOperationErrors'),
        draw: (row) => [
          saveButton(
            'Save the errors (CSV)',
            'getBatchOperationErrors',
            textOf(row['id']),
            'errors.csv',
          ),
        ],
      },
      { title: 'Items', list: itemsOf('listBatchOperationItems') },
      about,
    ],
  },
};

const executions: List = {
  name: 'executions',
  title: 'Operation runs',
  noun: 'run',
  operation: 'listExecutions',
  refreshMs: 4_000,
  empty: 'Your team has run no integration operation.',
  filters: filtersOf(runStatuses),
  columns,
  item: {
    opens: 'view',
    params: ['id'],
    operation: 'getExecution',
    refreshMs: 3_000,
    title,
    status,
    actions: runActions('retryExecution', 'cancelExecution'),
    parts: [
      outcome,
      {
        title: '',
        isFor: (row) => isEnded(row) && mayCall('getExecutionResult'),
        draw: (row) => [
          saveButton(
            'Save the result (JSON)',
            'getExecutionResult',
            textOf(row['id']),
            'result.json',
          ),
        ],
      },
      { title: 'Items', list: itemsOf('listExecutionItems') },
      about,
    ],
  },
};

startPage(batches, executions);
