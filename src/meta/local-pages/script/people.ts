import { deliveryStatuses } from '../../../messaging/message-deliveries/rules.ts';
import { element } from '../../../widget/script/dom.ts';
import type { DrawnPart, Item, List } from './declared.ts';
import { journeyList, templateLink } from './journeys.ts';
import { startPage } from './page.ts';
import { mayCall } from './session.ts';
import { badge, codeBlock, copyable, facts, fullTimeOf, indented, timeOf, words } from './shown.ts';
import { reasonOfSkip, timeline } from './timelines.ts';
import { rowOf, rowsOf, textOf, textsOf } from './values.ts';
import type { Row } from './values.ts';

const channels = ['email', 'sms', 'push'] as const;

const nameOf = (row: Row) =>
  [textOf(row['preferred_name']) || textOf(row['first_name']), textOf(row['last_name'])]
    .filter((name) => name !== '')
    .join(' ') ||
  textOf(row['email']) ||
  textOf(row['unique_id']) ||
  'Contact';

const about: DrawnPart = {
  title: '',
  draw: (row) => [
    ...(textOf(row['status']) === 'active'
      ? []
      : [
          element(
            'p',
            { class: 'note warn' },
            row['status'] === 'archived'
              ? 'The contact is archived: its journeys have ended.'
              : 'The contact is suppressed: no message is sent to it.',
          ),
        ]),
    ...facts(
      ['E-mail', copyable(row['email'], 'the e-mail address')],
      ['State of the e-mail address', badge(textOf(row['email_status']))],
      ['Phone', copyable(row['phone'], 'the phone number')],
      ['External id (unique_id)', copyable(row['unique_id'], 'the external id')],
      ['Id', copyable(row['id'], 'the id')],
      ['Language', textOf(row['locale'])],
      ['Time zone', textOf(row['timezone'])],
      ['Tags', textsOf(row['tags']).join(', ')],
      ['Last engaged', fullTimeOf(row['last_engaged_at'])],
      ['Created', fullTimeOf(row['inserted_at'])],
    ),
  ],
};

const consents: DrawnPart = {
  title: 'Consents',
  draw: (row) => {
    const given = rowOf(row['consents']);
    return [
      ...channels.flatMap((channel) => {
        const consent = rowOf(given[channel]);
        return facts(
          [words(channel), badge(textOf(consent['status']))],
          ['Since', fullTimeOf(consent['updated_at'])],
          ['Source', textOf(consent['source'])],
          ['Evidence', textOf(consent['evidence'])],
        );
      }),
    ];
  },
};

const consentChanges: DrawnPart = {
  title: 'Changes of consents',
  operation: 'listContactConsentChanges',
  draw: (answer) =>
    timeline(
      rowsOf(answer['data']).map((change) => ({
        at: change['inserted_at'],
        text: element(
          'span',
          {},
          `${words(textOf(change['channel']))}: ${textOf(rowOf(change['previous'])['status'])} → `,
          badge(textOf(rowOf(change['consent'])['status'])),
          ` ${textOf(rowOf(change['consent'])['source'])}`,
        ),
      })),
    ),
};

const attributes: DrawnPart = {
  title: '',
  draw: (row) =>
    Object.keys(rowOf(row['attributes'])).length === 0
      ? []
      : codeBlock('Attributes', indented(row['attributes'])),
};

const delivery: Item = {
  opens: 'panel',
  params: ['id'],
  operation: 'getMessageDelivery',
  title: (row) =>
    `${words(textOf(row['channel']))} to ${textOf(row['to_masked']) || 'the contact'}`,
  status: (row) => badge(textOf(row['status'])),
  parts: [
    {
      title: '',
      draw: (row) => {
        const bounce = rowOf(row['bounce']);
        return facts(
          ['Not sent because', reasonOfSkip(textOf(row['skip_reason']))],
          [
            'Bounce',
            [bounce['class'], bounce['code'], bounce['diagnostic']]
              .map(textOf)
              .filter(Boolean)
              .join(' · '),
          ],
          ['Campaign', templateLink(row['template_id'], 'Open the campaign')],
          ['Provider', textOf(row['provider'])],
          ['Id at the provider', copyable(row['provider_message_id'], 'the id at the provider')],
          ['Opens', textOf(row['open_count'])],
          ['Clicks', textOf(row['click_count'])],
          ['Variant', textOf(row['variant_key'])],
          ['Id', copyable(row['id'], 'the id')],
        );
      },
    },
    {
      title: 'Why',
      operation: 'explainMessageDelivery',
      draw: (answer) => [
        element('p', {}, textOf(answer['summary'])),
        ...timeline(rowsOf(answer['timeline']).map(({ what, at }) => ({ at, text: textOf(what) }))),
      ],
    },
  ],
};

const messages: List = {
  name: 'messages',
  title: 'Messages',
  noun: 'message',
  operation: 'listContactMessageDeliveries',
  pageSize: 10,
  empty: 'No message was decided for this contact.',
  filters: [
    {
      name: 'status',
      label: 'Status',
      options: [['', 'All'], ...deliveryStatuses.map((status) => [status, words(status)] as const)],
    },
    {
      name: 'channel',
      label: 'Channel',
      options: [['', 'All'], ...channels.map((channel) => [channel, words(channel)] as const)],
    },
  ],
  columns: [
    {
      title: 'Message',
      as: 'main',
      draw: (row) => `${words(textOf(row['channel']))} ${textOf(row['to_masked'])}`,
    },
    { title: 'Status', as: 'status', draw: (row) => badge(textOf(row['status'])) },
    { title: 'Reason', isBare: true, draw: (row) => reasonOfSkip(textOf(row['skip_reason'])) },
    { title: 'Sent', draw: (row) => timeOf(row['sent_at']) },
    { title: 'Opened', draw: (row) => timeOf(row['first_opened_at']) },
    { title: 'Decided', draw: (row) => timeOf(row['inserted_at']) },
  ],
  item: delivery,
};

const accounts: List = {
  name: 'accounts',
  title: 'Accounts',
  noun: 'account',
  operation: 'listContactAccounts',
  pageSize: 10,
  empty: 'The contact has no account.',
  columns: [
    {
      title: 'Account',
      as: 'main',
      draw: (row) => textOf(row['name']) || words(textOf(row['kind'])),
    },
    { title: 'Status', as: 'status', draw: (row) => badge(textOf(row['status'])) },
    { title: 'Kind', isBare: true, draw: (row) => words(textOf(row['kind'])) },
    { title: 'Opened', draw: (row) => timeOf(row['opened_at']) },
    { title: 'External id', draw: (row) => textOf(row['unique_id']) },
  ],
};

/** An id or an external id opens a contact; an e-mail address is searched. */
function idIn(text: string): string | undefined {
  if (text === '' || text.includes('@')) return undefined;
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) || text.startsWith('unique_id:')
    ? text
    : `unique_id:${text}`;
}

/** Sentences for a contact that is not to be seen, by the code of the refusal. */
const refusals: Readonly<Record<string, string>> = {
  resource_erased: 'This contact was permanently erased. There is nothing left to show.',
  contact_merged: 'This contact was merged into another one, which has everything of both.',
  not_found:
    'Your team has no such contact. Check the id; a contact of another team is never shown.',
};

const people: List = {
  name: 'people',
  title: 'People',
  noun: 'contact',
  operation: 'listContacts',
  needsFilter: true,
  empty: 'Search for a contact by its id, your own key (unique_id) or its whole e-mail address.',
  filters: [
    {
      name: 'who',
      label: 'Id, unique_id or e-mail address',
      placeholder: 'ada@example.com',
      query: (value) => ({ 'filter[email]': value }),
      opens: idIn,
    },
  ],
  columns: [
    { title: 'Contact', as: 'main', draw: nameOf },
    { title: 'Status', as: 'status', draw: (row) => badge(textOf(row['status'])) },
    { title: 'E-mail', isBare: true, draw: (row) => textOf(row['email']) },
    { title: 'External id', draw: (row) => textOf(row['unique_id']) },
    { title: 'Open journeys', draw: (row) => textOf(row['open_journey_count']) },
  ],
  item: {
    opens: 'view',
    params: ['id'],
    operation: 'getContact',
    title: nameOf,
    status: (row) => badge(textOf(row['status'])),
    refusals,
    parts: [
      about,
      {
        title: 'Journeys',
        list: journeyList(
          'listContactJourneys',
          {
            title: 'Campaign',
            as: 'main',
            draw: (row) =>
              textOf(rowOf(rowOf(row['relationships'])['template'])['name']) ||
              textOf(row['template_id']),
          },
          // The name of the campaign, where the token may read it.
          () => (mayCall('listTemplates') ? { include: 'template' } : {}),
        ),
      },
      { title: 'Messages', list: messages },
      consents,
      consentChanges,
      { title: 'Accounts', list: accounts },
      attributes,
    ],
  },
};

startPage(people);
