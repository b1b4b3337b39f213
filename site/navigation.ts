import type { DefaultTheme } from 'vitepress';
import type { SiteFacts } from './site-facts.ts';

type Entry = readonly [text: string, page: string];
interface Group {
  text: string;
  items: { text: string; link: string }[];
  collapsed?: boolean;
}

const group = (text: string, entries: readonly Entry[]): Group => ({
  text,
  items: entries.map(([name, page]) => ({ text: name, link: `/${page}` })),
});

/** Pages for developers and marketers of a partner. */
const forPartners = [
  group('Start', [
    ['Overview', ''],
    ['Quick start', 'quick-start'],
    ['Concepts', 'concepts'],
    ['The team’s pages', 'portal'],
  ]),
  group('Guides', [
    ['All guides', 'guides/'],
    ['Load contacts', 'guides/load-contacts'],
    ['Run a batch', 'guides/run-a-batch'],
    ['Launch a campaign', 'guides/launch-a-campaign'],
    ['Send a message', 'guides/send-a-message'],
    ['Track opens and clicks', 'guides/track-opens-and-clicks'],
    ['Let recipients choose topics', 'guides/let-recipients-choose-topics'],
    ['Send from your domain', 'guides/send-from-your-domain'],
    ['Send through your provider', 'guides/send-through-your-provider'],
    ['Archive what was sent', 'guides/archive-what-was-sent'],
    ['Receive webhooks', 'guides/receive-webhooks'],
    ['Connect a provider', 'guides/connect-a-provider'],
    ['Embed the widget', 'guides/embed-the-widget'],
    ['Read insights', 'guides/read-insights'],
    ['Handle errors', 'guides/handle-errors'],
    ['Secure your integration', 'guides/security'],
    ['Go-live checklist', 'guides/go-live'],
  ]),
  group('Look up', [
    ['API reference', 'reference'],
    ['Event types', 'events'],
    ['Error codes', 'errors'],
    ['SDKs and clients', 'clients'],
    ['Command line', 'cli'],
  ]),
  group('Events in depth', [
    ['Webhook delivery', 'webhooks'],
    ['Custom events', 'custom-events'],
    ['Callbacks of providers', 'inbound/'],
    ['Formats of callbacks', 'inbound/kinds'],
  ]),
  group('Data in and out', [
    ['Integration operations', 'operations'],
    ['Batches and executions', 'batch'],
    ['Files by SFTP', 'sftp'],
    ['File sources', 'file-sources'],
    ['Exports', 'exports'],
    ['Merging and erasing', 'privacy'],
  ]),
  group('Campaigns in depth', [
    ['Cohorts', 'cohorts'],
    ['Journeys', 'journeys'],
    ['Personalization', 'personalization'],
    ['HTML of messages and pages', 'html'],
    ['Gallery of e-mails', 'gallery'],
    ['Design', 'design'],
    ['Sending rules', 'sending'],
    ['Widgets and recipients', 'widget'],
    ['Definitions of insights', 'insights'],
  ]),
  group('Rules of the interface', [
    ['Authentication', 'authentication'],
    ['API conventions', 'api-conventions'],
    ['Scopes and fields', 'authorization'],
    ['Limits', 'limits'],
    ['Versions and deprecation', 'versioning'],
    ['Glossary', 'glossary'],
  ]),
];

/** Pages for those who run the service. */
const forOperators = [
  group('Operate', [
    ['At night', 'night'],
    ["Operator's guide", 'operators'],
    ['Runbook', 'runbook'],
    ['Kubernetes', 'kubernetes/'],
    ['Settings', 'settings'],
    ['Commands', 'commands'],
    ['Scaling', 'scaling'],
  ]),
  group('Look up', [
    ['Metrics', 'metrics'],
    ['Workflows', 'workflows'],
    ['Tables', 'tables'],
  ]),
  group('Review', [['For reviewers', 'review']]),
];

/** Pages for those who review the service or change its code. */
const forReviewers = [
  group('Review', [
    ['For reviewers', 'review'],
    ['Security of the service', 'security'],
    ['OWASP ASVS 5.0', 'security-asvs'],
    ['Audit trail and logs', 'audit'],
    ['Fault tolerance', 'faults'],
    ['Performance', 'performance'],
    ['Deviations', 'deviations'],
    ['Changelog', 'changelog'],
    ['Libraries', 'libraries'],
    ['Decision records', 'adr/'],
  ]),
  group('Change the code', [
    ['Architecture', 'architecture'],
    ['Add a resource', 'add-a-resource'],
    ['Add a job', 'add-a-job'],
  ]),
];

const addresses = (groups: readonly Group[]) =>
  groups.flatMap(({ items }) => items.map(({ link }) => link));

function matchOf(...sets: (readonly Group[])[]): string {
  return `^(${sets.flatMap(addresses).join('|')})(\\.html)?$`;
}

export const navigation: DefaultTheme.NavItem[] = [
  { text: 'Quick start', link: '/quick-start' },
  { text: 'Guides', link: '/guides/', activeMatch: '^/guides/' },
  { text: 'API reference', link: '/reference', activeMatch: '^/reference' },
  { text: 'Events', link: '/events', activeMatch: '^/events' },
  { text: 'Errors', link: '/errors', activeMatch: '^/errors' },
  {
    text: 'Operators',
    link: '/operators',
    activeMatch: matchOf(forOperators, forReviewers),
  },
];

/** Addresses of the pages that are not for partners. */
export const pagesForOthers = addresses([...forOperators, ...forReviewers]);

/** Menus of pages that docs/ has, for the list of pages for programs. */
export const pageMenus: readonly (readonly Group[])[] = [forPartners, forOperators, forReviewers];

/** The menu of operators for their pages, that of partners for all others. */
export function sidebarsOf({ reference, events }: SiteFacts): DefaultTheme.SidebarMulti {
  const menu = (groups: Group[]) => Object.fromEntries(addresses(groups).map((at) => [at, groups]));
  return {
    ...menu(forOperators),
    ...menu(forReviewers),
    '/adr/': forReviewers,
    '/reference': [
      { text: 'API reference', items: [{ text: 'All operations', link: '/reference' }] },
      ...reference,
    ],
    '/events': [
      { text: 'Events', items: [{ text: 'All event types', link: '/events' }, ...events] },
    ],
    '/': forPartners,
  };
}
