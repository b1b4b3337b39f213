import { element } from '../../../widget/script/dom.ts';
import type { Action, DrawnPart, Item, List } from './declared.ts';
import { startPage } from './page.ts';
import { mayCall } from './session.ts';
import { replayAction, replayList } from './replays.ts';
import {
  badge,
  codeBlock,
  copyable,
  facts,
  fullTimeOf,
  headerLines,
  httpBadge,
  indented,
  timeOf,
  words,
} from './shown.ts';
import { rowOf, textOf } from './values.ts';
import type { Row } from './values.ts';

const statuses = [
  'processed',
  'failed',
  'ignored',
  'pending_confirmation',
  'rejected_signature',
  'rejected_invalid',
] as const;
const signatures = ['verified', 'unsigned', 'invalid', 'missing', 'expired'] as const;

/** The meaning of each result of a verification. */
const meanings: Readonly<Record<string, string>> = {
  verified: 'The signature is valid.',
  unsigned: 'The receiver requires no signature, and the call had none.',
  invalid:
    'The signature does not match the content. Compare the secret of the provider with that of the receiver.',
  missing: 'The call is not signed. Set up the signature at the provider.',
  expired:
    'The time of the signature is too far from the clock of the service. Check whether the call was delayed or repeated.',
};

const hasFailures = (row: Row) => Number(row['consecutive_signature_failures']) > 0;

function healthOf(row: Row): string {
  if (row['is_active'] !== true) return 'inactive';
  return hasFailures(row) ? 'failing' : 'healthy';
}

const test: Action = {
  label: 'Send a test',
  operation: 'testIncomingWebhookReceiver',
  isFor: (row) => row['is_active'] === true,
  text: () => 'Sends a signed sample through the receiver, without effect on anybody.',
  body: () => ({}),
  done: (answer) =>
    `The test is ${words(textOf(answer['status'])).toLowerCase()}; its signature is ${textOf(answer['signature_status'])}.`,
};

const figuresOf = (names: readonly string[], counts: Row) =>
  element(
    'dl',
    { class: 'figures' },
    ...names.map((name) =>
      element(
        'div',
        {},
        element('dt', {}, words(name)),
        element('dd', {}, textOf(counts[name]) || '0'),
      ),
    ),
  );

const health: DrawnPart = {
  title: 'Health',
  operation: 'getInboundDeliveryCounts',
  draw: (counts, row) => {
    const dropped = Number(counts['dropped_rejections']);
    return [
      ...(hasFailures(row)
        ? [
            element(
              'p',
              { class: 'note bad' },
              `Consecutive calls without a valid signature: ${textOf(row['consecutive_signature_failures'])}. The latest came `,
              timeOf(row['last_signature_failure_at']),
              '. Compare the secret of the provider with the one of the receiver.',
            ),
          ]
        : []),
      ...(dropped > 0
        ? [
            element(
              'p',
              { class: 'note warn' },
              `${dropped.toLocaleString()} rejected calls were counted, but not stored.`,
            ),
          ]
        : []),
      element('p', { class: 'small soft' }, 'In the last 24 hours:'),
      figuresOf([...statuses, 'duplicate'], rowOf(counts['by_status'])),
      element('p', { class: 'small soft' }, 'By verification:'),
      figuresOf(signatures, rowOf(counts['by_signature_status'])),
    ];
  },
};

const about: DrawnPart = {
  title: 'Receiver',
  draw: (row) =>
    facts(
      ['Address for the provider', copyable(row['receive_url'], 'the address')],
      ['Kind', textOf(row['receiver_kind'])],
      ['Signature', row['signature_required'] === true ? 'Required' : 'Not required'],
      ['Repeats are recognized for', `${textOf(row['dedup_window_seconds'])} seconds`],
      ['Last call', fullTimeOf(row['last_received_at'])],
      ['Last without a valid signature', fullTimeOf(row['last_signature_failure_at'])],
      ['Id', copyable(row['id'], 'the id')],
    ),
};

const delivery: Item = {
  opens: 'panel',
  params: ['delivery_id'],
  operation: 'getInboundDelivery',
  // The call as it came needs the scope to write.
  query: () => ({ include: mayCall('replayInboundWebhooks') ? 'raw' : 'payload' }),
  title: (row) => textOf(row['event_type']) || 'Call',
  status: (row) => badge(textOf(row['status'])),
  actions: [
    {
      label: 'Replay',
      operation: 'replayInboundWebhooks',
      isFor: (row) =>
        row['is_test'] !== true &&
        ['processed', 'failed', 'ignored'].includes(textOf(row['status'])),
      text: () => 'Applies this call again, with the current rules.',
      body: (_, row) => ({ delivery_ids: [textOf(row['id'])] }),
      preview: (answer) => `Would apply ${textOf(answer['matched'])}.`,
      done: () => 'The replay has begun.',
    },
  ],
  parts: [
    {
      title: '',
      draw: (row) => {
        const linked = rowOf(row['linked']);
        const error = rowOf(row['error']);
        const signature = textOf(row['signature_status']);
        const detail =
          textOf(error['detail']) || textOf(row['last_error']) || textOf(row['link_error']);
        return [
          ...(detail === '' ? [] : [element('p', { class: 'note bad' }, detail)]),
          ...facts(
            ['Verification', badge(signature)],
            ['What it means', meanings[signature] ?? ''],
            ['Answer', httpBadge(row['http_status'])],
            ['Received', fullTimeOf(row['received_at'])],
            ['Processed', fullTimeOf(row['processed_at'])],
            ['Next attempt', fullTimeOf(row['next_attempt_at'])],
            ['Attempts', textOf(row['attempts'])],
            ['Repeats', textOf(row['duplicate_count'])],
            ['Replays', textOf(row['replay_count'])],
            ['Form', words(textOf(row['mode']))],
            ['Test', row['is_test'] === true ? 'Yes' : ''],
            ['Id at the provider', copyable(row['provider_event_id'], 'the id at the provider')],
            ['Contact', copyable(linked['contact_id'], 'the contact id')],
            ['Journey', copyable(linked['journey_id'], 'the journey id')],
            ['Message', copyable(linked['message_delivery_id'], 'the id of the message')],
            ['Delivery id', copyable(row['id'], 'the delivery id')],
          ),
        ];
      },
    },
    {
      title: 'Call',
      draw: (row) => {
        const raw = rowOf(row['raw']);
        const isBinary = raw['encoding'] === 'base64';
        return [
          ...facts(['Path', textOf(raw['path'])], ['Content type', textOf(raw['content_type'])]),
          ...codeBlock('Headers', headerLines(rowOf(row['headers']))),
          ...codeBlock(isBinary ? 'Body, as base64' : 'Body', indented(raw['body'])),
          ...codeBlock('Event as it was read', indented(row['payload'])),
          ...(raw['body'] === undefined
            ? [element('p', { class: 'note' }, 'The original call is no longer stored.')]
            : []),
        ];
      },
    },
  ],
};

const options = (values: readonly string[]) =>
  [['', 'All'], ...values.map((value) => [value, words(value)] as const)] as const;

const deliveries: List = {
  name: 'deliveries',
  title: 'Calls',
  noun: 'call',
  operation: 'listInboundDeliveries',
  refreshMs: 4_000,
  empty: 'This receiver has no calls yet. Give its address to the provider, or send a test.',
  filters: [
    { name: 'status', label: 'Status', options: options(statuses) },
    { name: 'signature_status', label: 'Verification', options: options(signatures) },
    { name: 'event_type', label: 'Event type' },
    { name: 'provider_event_id', label: 'Id at the provider' },
  ],
  columns: [
    { title: 'Event', as: 'main', draw: (row) => textOf(row['event_type']) || '(not read)' },
    { title: 'Status', as: 'status', draw: (row) => badge(textOf(row['status'])) },
    { title: 'Verification', draw: (row) => badge(textOf(row['signature_status'])) },
    { title: 'Answer', isBare: true, draw: (row) => httpBadge(row['http_status']) },
    {
      title: 'Reason',
      isBare: true,
      draw: (row) => textOf(rowOf(row['error'])['detail']) || textOf(row['link_error']),
    },
    { title: 'Received', isBare: true, draw: (row) => timeOf(row['received_at']) },
  ],
  item: delivery,
};

const receivers: List = {
  name: 'receivers',
  title: 'Callbacks',
  noun: 'receiver',
  operation: 'listIncomingWebhookReceivers',
  refreshMs: 6_000,
  empty: () =>
    element(
      'span',
      {},
      'Your team has no receiver for callbacks of providers. ',
      element('a', { href: '/docs/guides/connect-a-provider' }, 'Connect a provider'),
      ' says how to make one.',
    ),
  columns: [
    {
      title: 'Receiver',
      as: 'main',
      draw: (row) => textOf(row['name']) || textOf(row['receiver_kind']),
    },
    { title: 'Health', as: 'status', draw: (row) => badge(healthOf(row)) },
    { title: 'Kind', isBare: true, draw: (row) => textOf(row['receiver_kind']) },
    {
      title: 'Signature',
      draw: (row) => (row['signature_required'] === true ? 'required' : 'not required'),
    },
    { title: 'Last call', draw: (row) => timeOf(row['last_received_at']) || 'never' },
  ],
  item: {
    opens: 'view',
    params: ['id', 'receiver_id'],
    operation: 'getIncomingWebhookReceiver',
    refreshMs: 4_000,
    title: (row) => textOf(row['name']) || textOf(row['receiver_kind']),
    status: (row) => badge(healthOf(row)),
    actions: [test, replayAction('replayInboundWebhooks', statuses, ['failed', 'ignored'])],
    parts: [
      health,
      { title: 'Calls', list: deliveries },
      {
        title: 'Replays',
        list: replayList('listInboundReplays', 'getInboundReplay', 'cancelInboundReplay'),
      },
      about,
    ],
  },
};

startPage(receivers);
