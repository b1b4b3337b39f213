import { element } from '../../../widget/script/dom.ts';
import type { Action, DrawnPart, List } from './declared.ts';
import { deliveries, deliveryStates, reasonOf } from './webhook-deliveries.ts';
import { startPage } from './page.ts';
import { replayAction, replayList } from './replays.ts';
import { badge, copyable, facts, fullTimeOf, timeOf, words } from './shown.ts';
import { rowOf, rowsOf, textOf, textsOf } from './values.ts';
import type { Row } from './values.ts';

const isDisabled = (row: Row) => row['is_disabled_for_failures'] === true;
const isOff = (row: Row) => row['is_active'] !== true;
const failuresOf = (row: Row) => Number(row['consecutive_permanent_failures']);

/** A word for the health of a subscription. */
function healthOf(row: Row): string {
  if (isDisabled(row)) return 'disabled';
  if (isOff(row)) return 'inactive';
  return failuresOf(row) > 0 ? 'failing' : 'healthy';
}

const test: Action = {
  label: 'Send a test',
  operation: 'testWebhookSubscription',
  isFor: (row) => !isOff(row) && !isDisabled(row),
  text: (row) =>
    `Sends one test event to ${textOf(row['target_url'])}: one attempt, without effect on the health of the subscription.`,
  body: () => ({}),
  done: () => 'The test is on its way. It is the first delivery of the list.',
};

const enable: Action = {
  label: 'Enable again',
  operation: 'updateWebhookSubscription',
  isFor: (row) => isDisabled(row) || isOff(row),
  text: (row) =>
    `Sends new events to ${textOf(row['target_url'])} again. What was suppressed in the meantime is not sent by itself: replay it afterwards.`,
  body: () => ({ is_active: true, is_disabled_for_failures: false }),
  done: () => 'The subscription is enabled.',
};

const health: DrawnPart = {
  title: 'Health',
  operation: 'getWebhookDeliveryCounts',
  draw: (counts, row) => {
    const byStatus = rowOf(counts['by_status']);
    const rate = counts['success_rate'];
    const figures = deliveryStates.map((status) =>
      element(
        'div',
        {},
        element('dt', {}, words(status)),
        element('dd', {}, textOf(byStatus[status]) || '0'),
      ),
    );
    const share =
      typeof rate === 'number'
        ? rate.toLocaleString('en', { style: 'percent', maximumFractionDigits: 1 })
        : '–';
    return [
      ...sentenceOf(row),
      element('p', { class: 'small soft' }, 'In the last 24 hours:'),
      element(
        'dl',
        { class: 'figures' },
        ...figures,
        element('div', {}, element('dt', {}, 'Delivered of ended'), element('dd', {}, share)),
        element(
          'div',
          {},
          element('dt', {}, 'Median of attempts'),
          element('dd', {}, `${textOf(counts['p50_ms']) || '–'} ms`),
        ),
      ),
    ];
  },
};

const last = (count: number) =>
  count === 1 ? 'The last delivery' : `The last ${count.toLocaleString()} deliveries`;

/** The trouble of a subscription, and how to end it. */
function sentenceOf(row: Row): HTMLElement[] {
  const note = (tone: string, text: string) => [element('p', { class: `note ${tone}` }, text)];
  if (isDisabled(row)) {
    return note(
      'bad',
      `The subscription was disabled after ${String(failuresOf(row))} deliveries in a row failed permanently. New events are suppressed. Repair the receiver, enable the subscription again, and replay what it has missed.`,
    );
  }
  if (isOff(row))
    return note('warn', 'The subscription is switched off. New events are suppressed.');
  if (failuresOf(row) > 0) {
    return note(
      'warn',
      `${last(failuresOf(row))} failed permanently. See the response of the receiver in the first failed one below.`,
    );
  }
  return [];
}

/** Since when deliveries fail, and when the next attempt is due. */
const trouble: DrawnPart = {
  title: '',
  operation: 'listWebhookDeliveries',
  query: () => ({ 'filter[status]': 'retrying', sort: 'inserted_at', 'page[size]': '1' }),
  draw: (answer) => {
    const [first] = rowsOf(answer['data']);
    if (!first) return [];
    return [
      element(
        'p',
        { class: 'note warn' },
        'Deliveries are retried. The oldest waits since ',
        timeOf(first['inserted_at']),
        ': ',
        reasonOf(first),
        '. Its next attempt is due ',
        timeOf(first['next_attempt_at']) || 'soon',
        '.',
      ),
    ];
  },
};

const aboutSubscription: DrawnPart = {
  title: 'Subscription',
  draw: (row) => [
    ...facts(
      ['Address', copyable(row['target_url'], 'the address')],
      ['Event types', textsOf(row['event_types']).join(', ')],
      ['Id', copyable(row['id'], 'the id')],
      ['Last delivered', fullTimeOf(row['last_delivered_at'])],
      ['Created', fullTimeOf(row['inserted_at'])],
      ['Description', textOf(row['description'])],
    ),
    ...rowsOf(row['deprecated_event_types']).map((type) =>
      element(
        'p',
        { class: 'note warn' },
        `${textOf(type['event_type'])} ends `,
        timeOf(type['sunset_at']),
        `: ${textOf(type['reason'])}`,
      ),
    ),
  ],
};

const subscriptions: List = {
  name: 'subscriptions',
  title: 'Webhooks',
  noun: 'subscription',
  operation: 'listWebhookSubscriptions',
  refreshMs: 6_000,
  empty: () =>
    element(
      'span',
      {},
      'Your team has no webhook subscription. ',
      element('a', { href: '/docs/guides/receive-webhooks' }, 'Receive webhooks'),
      ' says how to make one.',
    ),
  columns: [
    {
      title: 'Subscription',
      as: 'main',
      draw: (row) => textOf(row['name']) || textOf(row['target_url']),
    },
    { title: 'Health', as: 'status', draw: (row) => badge(healthOf(row)) },
    { title: 'Address', isBare: true, draw: (row) => textOf(row['target_url']) },
    { title: 'Event types', draw: (row) => String(textsOf(row['event_types']).length) },
    { title: 'Last delivered', draw: (row) => timeOf(row['last_delivered_at']) || 'never' },
  ],
  item: {
    opens: 'view',
    params: ['id'],
    operation: 'getWebhookSubscription',
    refreshMs: 4_000,
    title: (row) => textOf(row['name']) || textOf(row['target_url']),
    status: (row) => badge(healthOf(row)),
    actions: [
      test,
      replayAction('replayWebhooks', deliveryStates, ['failed', 'suppressed']),
      enable,
    ],
    parts: [
      health,
      trouble,
      { title: 'Deliveries', list: deliveries },
      {
        title: 'Replays',
        list: replayList('listWebhookReplays', 'getWebhookReplay', 'cancelWebhookReplay'),
      },
      aboutSubscription,
    ],
  },
};

startPage(subscriptions);
