import { toTimestamp } from '../../../platform/time/rules.ts';
import type { Action, List } from './declared.ts';
import type { Query } from './operations.ts';
import { badge, copyable, facts, fullTimeOf, meter, timeOf, words } from './shown.ts';
import { textOf } from './values.ts';
import type { Row } from './values.ts';

const hours = [
  ['1', 'The last hour'],
  ['24', 'The last 24 hours'],
  ['168', 'The last 7 days'],
] as const;

/** Starts deliveries of a window over. It is counted first, and sent after a second confirmation. */
export function replayAction(
  operation: string,
  statuses: readonly string[],
  usual: readonly string[],
): Action {
  const usualText = usual.map((status) => words(status).toLowerCase()).join(' and ');
  return {
    label: 'Replay',
    operation,
    text: () => 'Starts deliveries over that ended in a window. They are counted first.',
    fields: [
      { name: 'hours', label: 'Window', options: hours, value: '24' },
      {
        name: 'status',
        label: 'Status',
        options: [
          ['', words(usualText)],
          ...statuses.map((status) => [status, words(status)] as const),
        ],
      },
      { name: 'event_type', label: 'Event type (all if empty)' },
    ],
    body: ({ hours: back = '24', status = '', event_type: type = '' }: Query) => ({
      filter: {
        since: toTimestamp(Date.now() - Number(back) * 3_600_000),
        status: status === '' ? usual : [status],
        ...(type.trim() !== '' && { event_type: [type.trim()] }),
      },
    }),
    preview: (answer) =>
      `Would send ${countOf(answer['matched'])}, at most ${textOf(answer['rate_per_second'])} a second.`,
    done: (answer) => `The replay of ${countOf(answer['matched'])} has begun.`,
  };
}

function countOf(count: unknown): string {
  const text = Number(count).toLocaleString();
  return `${text} ${count === 1 ? 'delivery' : 'deliveries'}`;
}

const isRunning = (row: Row) => ['pending', 'running'].includes(textOf(row['status']));

const progressOf = (row: Row) =>
  meter(
    'Progress of the replay',
    Number(row['replayed']) + Number(row['skipped']),
    Number(row['matched']),
  );

/** The replays of a subscription or receiver. */
export const replayList = (list: string, get: string, cancel: string): List => ({
  name: 'replays',
  title: 'Replays',
  noun: 'replay',
  operation: list,
  refreshMs: 5_000,
  pageSize: 5,
  empty: 'Nothing was replayed.',
  columns: [
    { title: 'Created', as: 'main', draw: (row) => timeOf(row['inserted_at']) },
    { title: 'Status', as: 'status', draw: (row) => badge(textOf(row['status'])) },
    { title: 'Progress', isBare: true, draw: progressOf },
    { title: 'Succeeded', draw: (row) => textOf(row['succeeded']) },
    { title: 'Failed', draw: (row) => textOf(row['failed']) },
  ],
  item: {
    opens: 'panel',
    params: ['replay_id'],
    operation: get,
    refreshMs: 4_000,
    title: () => 'Replay',
    status: (row) => badge(textOf(row['status'])),
    actions: [
      {
        label: 'Cancel the replay',
        operation: cancel,
        isFor: isRunning,
        text: () => 'Cancels the replay. Deliveries that it has already replayed continue.',
        done: () => 'The replay is canceled.',
      },
    ],
    parts: [
      {
        title: '',
        draw: (row) =>
          facts(
            ['Progress', progressOf(row)],
            ['Succeeded', textOf(row['succeeded'])],
            ['Failed', textOf(row['failed'])],
            ['Skipped', textOf(row['skipped'])],
            ['From', fullTimeOf(row['since'])],
            ['Until', fullTimeOf(row['until'])],
            ['Most a second', textOf(row['rate_per_second'])],
            ['Created', fullTimeOf(row['inserted_at'])],
            ['Ended', fullTimeOf(row['finished_at'])],
            ['Id', copyable(row['id'], 'the id')],
          ),
      },
    ],
  },
});
