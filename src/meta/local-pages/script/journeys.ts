import { element } from '../../../widget/script/dom.ts';
import type { DrawnPart, Item, List } from './declared.ts';
import type { Query } from './operations.ts';
import { pageHref } from './session.ts';
import { badge, copyable, facts, fullTimeOf, timeOf, words } from './shown.ts';
import type { Shown } from './shown.ts';
import { reasonOfSkip, timeline } from './timelines.ts';
import { rowOf, rowsOf, textOf } from './values.ts';
import type { Row } from './values.ts';

const isId = (text: string) => /^[0-9a-f-]{36}$/.test(text);

/** A link to the page of a contact. */
function contactLink(value: unknown, text = 'Contact'): Shown {
  const id = textOf(value);
  return isId(id) ? element('a', { href: pageHref('people', `#/people/${id}`) }, text) : '';
}

/** A link to the page of a template. */
export function templateLink(value: unknown, text = 'Campaign'): Shown {
  const id = textOf(value);
  return isId(id) ? element('a', { href: pageHref('campaigns', `#/campaigns/${id}`) }, text) : '';
}

/** The next step of a journey, in words. */
function nextOf(row: Row): Shown {
  const next = rowOf(row['next_action']);
  const kind = textOf(next['kind']);
  if (kind === '') return '';
  const noun = kind === 'start' ? 'starts' : 'decides a message';
  return element('span', {}, `${noun} `, timeOf(next['due_at']));
}

const progressOf = (row: Row) => {
  const progress = rowOf(row['progress']);
  return `${textOf(progress['objectives_completed'])} of ${textOf(progress['objectives_total'])}`;
};

const states: Readonly<Record<string, string>> = {
  waiting: 'Waits',
  not_due: 'Is not due',
  decided: 'Decided',
};

/** Each message of a journey: what was decided, or when it will be, and why. */
const explained: DrawnPart = {
  title: 'What comes next, and why',
  operation: 'explainJourney',
  draw: (answer) => {
    const messages = rowsOf(answer['messages']).map((message) => {
      const state = textOf(message['state']);
      const reason = reasonOfSkip(textOf(message['skip_reason']));
      const status = textOf(message['delivery_status']);
      return element(
        'li',
        { class: state === 'waiting' ? 'next' : reason === '' ? '' : 'bad' },
        element(
          'div',
          {},
          element('strong', {}, textOf(message['name']) || 'Message'),
          ' ',
          status === '' ? badge(state, states[state] ?? words(state)) : badge(status),
        ),
        element(
          'div',
          { class: 'small soft' },
          reason === '' ? fullTimeOf(message['due_at']) : reason,
        ),
      );
    });
    return [
      element('p', {}, textOf(answer['detail'])),
      ...(messages.length === 0
        ? [element('p', { class: 'empty' }, 'The template has no messages.')]
        : [element('ol', { class: 'timeline' }, ...messages)]),
    ];
  },
};

const happened: DrawnPart = {
  title: 'What happened',
  operation: 'getJourneyTimeline',
  query: () => ({ sort: '-occurred_at', 'page[size]': '50' }),
  draw: (answer) => {
    const events = rowsOf(answer['data']).map((event) => ({
      at: event['occurred_at'],
      text: words(textOf(event['kind'])),
    }));
    return events.length === 0
      ? [element('p', { class: 'empty' }, 'Nothing has happened yet.')]
      : timeline(events);
  },
};

const journey: Item = {
  opens: 'panel',
  params: ['id'],
  operation: 'getJourney',
  title: () => 'Journey',
  status: (row) => badge(textOf(row['status'])),
  parts: [
    {
      title: '',
      draw: (row) =>
        facts(
          ['Contact', contactLink(row['contact_id'], 'Open the contact')],
          ['Campaign', templateLink(row['template_id'], 'Open the campaign')],
          ['Ended because of', words(textOf(row['exit_reason']))],
          ['Holdout', row['is_holdout'] === true ? 'Yes: gets no messages, for comparison' : ''],
          ['Next', nextOf(row)],
          ['Objectives completed', progressOf(row)],
          ['Enrolled', fullTimeOf(row['enrolled_at'])],
          ['Enrolled by', words(textOf(row['enrolled_via']))],
          ['Started', fullTimeOf(row['started_at'])],
          ['Deadline', fullTimeOf(row['deadline_at'])],
          ['Last engaged', fullTimeOf(row['last_engaged_at'])],
          ['Id', copyable(row['id'], 'the id')],
        ),
    },
    explained,
    happened,
  ],
};

/** Journeys of a template or of a contact. */
export const journeyList = (
  operation: string,
  main: List['columns'][number],
  query: () => Query = () => ({}),
): List => ({
  name: 'journeys',
  title: 'Journeys',
  noun: 'journey',
  operation,
  query,
  pageSize: 10,
  empty: 'Nobody is enrolled.',
  filters: [
    {
      name: 'status',
      label: 'Status',
      options: [
        ['', 'All'],
        ...[
          'scheduled',
          'active',
          'paused',
          'completed',
          'exited',
          'expired',
          'canceled',
          'failed',
        ].map((status) => [status, words(status)] as const),
      ],
    },
  ],
  columns: [
    main,
    { title: 'Status', as: 'status', draw: (row) => badge(textOf(row['status'])) },
    { title: 'Objectives', draw: progressOf },
    { title: 'Next', draw: nextOf },
    { title: 'Enrolled', draw: (row) => timeOf(row['enrolled_at']) },
  ],
  item: journey,
});
