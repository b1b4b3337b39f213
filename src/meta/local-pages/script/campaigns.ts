import { element } from '../../../widget/script/dom.ts';
import type { DrawnPart, List } from './declared.ts';
import { journeyList } from './journeys.ts';
import { startPage } from './page.ts';
import { workflowHref } from './session.ts';
import { badge, codeBlock, copyable, facts, fullTimeOf, indented, timeOf, words } from './shown.ts';
import { reasonOfSkip, timeline } from './timelines.ts';
import type { Moment } from './timelines.ts';
import { rowOf, rowsOf, textOf } from './values.ts';
import type { Row } from './values.ts';

const statuses = ['draft', 'scheduled', 'launched', 'paused', 'expired', 'archived'] as const;
const counts = [
  'queued',
  'sent',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'failed',
  'unsubscribed',
  'complained',
  'skipped',
] as const;

const figures = (pairs: readonly (readonly [string, unknown])[]) =>
  element(
    'dl',
    { class: 'figures' },
    ...pairs.map(([name, value]) =>
      element(
        'div',
        {},
        element('dt', {}, name),
        element('dd', {}, Number(value ?? 0).toLocaleString()),
      ),
    ),
  );

const planned: readonly (readonly [field: string, text: string])[] = [
  ['scheduled_at', 'Launch is scheduled'],
  ['deadline_at', 'Deadline: open journeys expire'],
];

const actionWords: Readonly<Record<string, string>> = {
  launch: 'Launched',
  schedule: 'Scheduled',
  unschedule: 'Schedule removed',
  pause: 'Paused',
  resume: 'Resumed',
  expire: 'Expired',
  archive: 'Archived',
  unarchive: 'Taken out of the archive',
  lock: 'Locked',
  unlock: 'Unlocked',
};

/** The moments ahead: the schedule and the deadline of a template that may still come. */
function aheadOf(row: Row): Moment[] {
  const status = textOf(row['status']);
  return planned
    .filter(([field]) =>
      field === 'scheduled_at' ? status === 'scheduled' : !['expired', 'archived'].includes(status),
    )
    .map(([field, text]) => ({ at: row[field], text, tone: 'next' }));
}

const life: DrawnPart = {
  title: 'Timeline',
  operation: 'listTemplateStatusHistory',
  query: () => ({ sort: 'sequence', 'page[size]': '100' }),
  draw: (answer, row) => {
    const changes = rowsOf(answer['data']).map((change): Moment => {
      const action = textOf(change['action']);
      const cause = change['cause'] === 'timer' ? ', by its timer' : '';
      return {
        at: change['occurred_at'],
        text: element(
          'span',
          {},
          `${actionWords[action] ?? words(action)}${cause} `,
          badge(textOf(change['to_status'])),
        ),
        ...(action === 'launch' && { tone: 'good' as const }),
      };
    });
    const created: Moment = { at: row['inserted_at'], text: 'Created' };
    return timeline([created, ...changes, ...aheadOf(row)]);
  },
};

const overview: DrawnPart = {
  title: '',
  draw: (row) => {
    const href = workflowHref(`template/${textOf(row['id'])}`);
    return [
      figures([
        ['Enrolled', row['enrolled_count']],
        ['Open journeys', row['active_journey_count']],
      ]),
      ...facts(
        ['Launch', fullTimeOf(row['launched_at'] ?? row['scheduled_at'])],
        ['Deadline', fullTimeOf(row['deadline_at'])],
        ['Contacts enter', words(textOf(row['entry']))],
        ['Once more', words(textOf(row['reentry']))],
        [
          'Holdout',
          row['holdout_percent'] === undefined ? '' : `${textOf(row['holdout_percent'])} %`,
        ],
        ['Most messages a minute', textOf(row['send_rate_per_minute'])],
        ['Version', textOf(row['template_version'])],
        ['Id', copyable(row['id'], 'the id')],
        ['Workflow', href === undefined ? '' : element('a', { href }, 'Open it in Temporal')],
      ),
    ];
  },
};

/** Counts of what was sent, and of what was not and why, from the insights. */
const sent: DrawnPart = {
  title: 'Messages of the last 12 months that were not sent, and why',
  operation: 'getAdvancedInsightMessages',
  query: (row) => ({ period: 'P12M', 'filter[template_id]': textOf(row['id']) }),
  draw: (answer) => {
    const skipped = Object.entries(rowOf(rowOf(answer['value'])['skipped_by_reason']))
      .filter(([, count]) => Number(count) > 0)
      .sort(([, a], [, b]) => Number(b) - Number(a));
    if (skipped.length === 0) return [element('p', { class: 'empty' }, 'No message was skipped.')];
    const lines = skipped.map(([code, count]) =>
      element(
        'li',
        {},
        element('strong', {}, Number(count).toLocaleString()),
        ` ${reasonOfSkip(code)}`,
      ),
    );
    return [element('ul', {}, ...lines)];
  },
};

const triggers: Readonly<Record<string, string>> = {
  on_enroll: 'On enrollment',
  on_event: 'After the event',
  on_objective_incomplete: 'While the objective is open',
  on_page: 'After the page',
  on_request: 'On request of the API',
};

function triggerOf(row: Row): string {
  const trigger = rowOf(row['trigger']);
  const kind = textOf(trigger['kind']);
  const when = textOf(trigger['delay']) || textOf(trigger['date']) || textOf(trigger['event_kind']);
  if (kind === 'delay') return `After ${when}`;
  if (kind === 'date') return `On ${new Date(when).toLocaleString()}`;
  return `${triggers[kind] ?? words(kind)} ${when}`.trim();
}

const statOf = (name: string) => (row: Row) =>
  Number(rowOf(row['stats'])[name] ?? 0).toLocaleString();

const messages: List = {
  name: 'messages',
  title: 'Messages',
  noun: 'message',
  operation: 'listTemplateMessages',
  query: () => ({ sort: 'position' }),
  empty: 'The template has no messages. Without one, enrolled contacts get nothing.',
  columns: [
    { title: 'Message', as: 'main', draw: (row) => textOf(row['name']) },
    { title: 'Channel', as: 'status', draw: (row) => badge(textOf(row['channel'])) },
    { title: 'When', isBare: true, draw: triggerOf },
    { title: 'Sent', draw: statOf('sent') },
    { title: 'Delivered', draw: statOf('delivered') },
    { title: 'Opened', draw: statOf('opened') },
    { title: 'Clicked', draw: statOf('clicked') },
    { title: 'Skipped', draw: statOf('skipped') },
  ],
  item: {
    opens: 'panel',
    params: ['message_id'],
    operation: 'listTemplateMessages',
    query: () => ({ 'page[size]': '100' }),
    pick: (answer, id) => rowsOf(answer['data']).find((row) => row['id'] === id),
    title: (row) => textOf(row['name']),
    status: (row) => badge(textOf(row['status'])),
    parts: [
      {
        title: 'Counts',
        draw: (row) => [figures(counts.map((name) => [words(name), rowOf(row['stats'])[name]]))],
      },
      {
        title: '',
        draw: (row) => [
          ...facts(
            ['When', triggerOf(row)],
            ['Channel', words(textOf(row['channel']))],
            ['Purpose', words(textOf(row['purpose']))],
            ['Subject', textOf(row['subject'])],
            ['Quiet hours', row['respect_quiet_hours'] === true ? 'Respected' : 'Ignored'],
            ['Version', textOf(row['version'])],
            ['Id', copyable(row['id'], 'the id')],
          ),
          ...codeBlock('Condition', indented(row['condition'])),
          ...codeBlock('Text', textOf(row['body_text']) || textOf(row['body'])),
        ],
      },
    ],
  },
};

const campaigns: List = {
  name: 'campaigns',
  title: 'Campaigns',
  noun: 'template',
  operation: 'listTemplates',
  refreshMs: 15_000,
  empty: () =>
    element(
      'span',
      {},
      'Your team has no template. ',
      element('a', { href: '/docs/guides/launch-a-campaign' }, 'Launch a campaign'),
      ' says how to make one.',
    ),
  filters: [
    {
      name: 'status',
      label: 'Status',
      options: [['', 'All but archived'], ...statuses.map((one) => [one, words(one)] as const)],
    },
    {
      name: 'name',
      label: 'Name',
      query: (value) => ({ 'filter[name][contains]': value }),
    },
  ],
  columns: [
    { title: 'Campaign', as: 'main', draw: (row) => textOf(row['name']) },
    { title: 'Status', as: 'status', draw: (row) => badge(textOf(row['status'])) },
    { title: 'Enrolled', draw: (row) => Number(row['enrolled_count']).toLocaleString() },
    { title: 'Open journeys', draw: (row) => Number(row['active_journey_count']).toLocaleString() },
    { title: 'Launch', draw: (row) => timeOf(row['launched_at'] ?? row['scheduled_at']) },
    { title: 'Deadline', draw: (row) => timeOf(row['deadline_at']) },
  ],
  item: {
    opens: 'view',
    params: ['id'],
    operation: 'getTemplate',
    refreshMs: 15_000,
    title: (row) => textOf(row['name']),
    status: (row) => badge(textOf(row['status'])),
    parts: [
      overview,
      life,
      { title: 'Messages', list: messages },
      sent,
      {
        title: 'Journeys',
        list: journeyList('listTemplateJourneys', {
          title: 'Contact',
          as: 'main',
          draw: (row) => textOf(row['contact_id']),
        }),
      },
    ],
  },
};

startPage(campaigns);
