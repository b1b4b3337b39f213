import { element } from '../../../widget/script/dom.ts';
import { toTimestamp } from '../../../platform/time/rules.ts';
import { attemptOf } from './attempts.ts';
import type { Item, List } from './declared.ts';
import { scopeNote } from './problems.ts';
import { mayCall, missingScopeOf } from './session.ts';
import {
  badge,
  codeBlock,
  copyable,
  facts,
  fullTimeOf,
  httpBadge,
  indented,
  timeOf,
  words,
} from './shown.ts';
import { rowsOf, textOf } from './values.ts';
import type { Row } from './values.ts';

export const deliveryStates = ['pending', 'retrying', 'delivered', 'failed', 'suppressed'] as const;

const reasonWords = (row: Row) => words(textOf(row['error_code'])).replace('Http', 'HTTP');

/** Why the last attempt of a delivery has failed. */
export function reasonOf(row: Row): string {
  const code = textOf(row['error_code']);
  const status = textOf(row['http_status']);
  if (status !== '') return `the receiver answered ${status}`;
  return code === '' ? 'no attempt has been made' : words(code).toLowerCase();
}

/** The body may be seen by those who could subscribe to it. */
const maySeeBody = () => mayCall('retryWebhookDelivery');

const delivery: Item = {
  opens: 'panel',
  params: ['delivery_id'],
  operation: 'getWebhookDelivery',
  query: () => ({ include: maySeeBody() ? 'attempts,event' : 'attempts' }),
  refreshMs: 4_000,
  title: (row) => textOf(row['event_type']),
  status: (row) => badge(textOf(row['status'])),
  actions: [
    {
      label: 'Retry',
      operation: 'retryWebhookDelivery',
      isFor: (row) => !['pending', 'retrying'].includes(textOf(row['status'])),
      text: (row) =>
        `Sends ${textOf(row['event_type'])} again now, with the full retry schedule if it fails. The receiver recognizes the repeat by its webhook-id.`,
      done: () => 'The delivery starts over.',
    },
  ],
  parts: [
    {
      title: '',
      draw: (row) =>
        facts(
          ['Attempts', textOf(row['attempt_count'])],
          ['Last answer', httpBadge(row['http_status'])],
          ['Error', reasonWords(row)],
          ['Next attempt', fullTimeOf(row['next_attempt_at'])],
          ['Last attempt', fullTimeOf(row['last_attempt_at'])],
          ['Ended', fullTimeOf(row['completed_at'])],
          ['Trigger', words(textOf(row['trigger']))],
          ['Event id (webhook-id)', copyable(row['event_id'], 'the event id')],
          ['Delivery id', copyable(row['id'], 'the delivery id')],
        ),
    },
    {
      title: 'Attempts',
      draw: (row) => {
        const attempts = rowsOf(row['attempts']).sort(
          (a, b) => Number(b['number']) - Number(a['number']),
        );
        if (attempts.length === 0)
          return [element('p', { class: 'empty' }, 'No attempt has been made yet.')];
        return attempts.map((attempt, at) => attemptOf(attempt, at === 0));
      },
    },
    {
      title: 'Request',
      draw: (row) => [
        ...codeBlock(
          'Headers',
          [
            'content-type: application/json',
            `webhook-id: ${textOf(row['event_id'])}`,
            'webhook-timestamp: seconds of the attempt',
            'webhook-signature: not stored',
          ].join('\n'),
        ),
        ...(maySeeBody()
          ? codeBlock('Body', indented(row['event']))
          : [scopeNote([missingScopeOf('retryWebhookDelivery') ?? ''], 'The body')]),
      ],
    },
  ],
};

/** The deliveries of a subscription. */
export const deliveries: List = {
  name: 'deliveries',
  title: 'Deliveries',
  noun: 'delivery',
  operation: 'listWebhookDeliveries',
  refreshMs: 4_000,
  empty:
    'Nothing was sent to this subscription. Send a test, or make an event of one of its types.',
  filters: [
    {
      name: 'status',
      label: 'Status',
      options: [['', 'All'], ...deliveryStates.map((status) => [status, words(status)] as const)],
    },
    { name: 'event_type', label: 'Event type' },
    {
      name: 'since',
      label: 'Since',
      options: [
        ['', 'Any time'],
        ['1', 'Last hour'],
        ['24', 'Last 24 hours'],
        ['168', 'Last 7 days'],
      ],
      query: (hours) => ({
        'filter[inserted_at][gte]': toTimestamp(Date.now() - Number(hours) * 3_600_000),
      }),
    },
    { name: 'event_id', label: 'Event id' },
  ],
  columns: [
    { title: 'Event', as: 'main', draw: (row) => textOf(row['event_type']) },
    { title: 'Status', as: 'status', draw: (row) => badge(textOf(row['status'])) },
    {
      title: 'Answer',
      isBare: true,
      draw: (row) => httpBadge(row['http_status']) || reasonWords(row),
    },
    { title: 'Attempts', draw: (row) => textOf(row['attempt_count']) },
    { title: 'Created', isBare: true, draw: (row) => timeOf(row['inserted_at']) },
    { title: 'Next attempt', draw: (row) => timeOf(row['next_attempt_at']) },
  ],
  item: delivery,
};
