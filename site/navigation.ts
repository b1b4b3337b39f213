import type { DefaultTheme } from 'vitepress';

type Entry = readonly [text: string, page: string];

const group = (text: string, entries: readonly Entry[], collapsed?: boolean) => ({
  text,
  items: entries.map(([name, page]) => ({ text: name, link: `/${page}` })),
  ...(collapsed !== undefined && { collapsed }),
});

/** Pages for developers and marketers of a partner. */
const forPartners = [
  group('Start', [
    ['Overview', ''],
    ['Quick start', 'quick-start'],
    ['Concepts', 'concepts'],
  ]),
  group('Guides', [
    ['All guides', 'guides/'],
    ['Load contacts', 'guides/load-contacts'],
    ['Launch a campaign', 'guides/launch-a-campaign'],
    ['Send a message', 'guides/send-a-message'],
    ['Track opens and clicks', 'guides/track-opens-and-clicks'],
    ['Let recipients choose topics', 'guides/let-recipients-choose-topics'],
    ['Send from your domain', 'guides/send-from-your-domain'],
    ['Send through your provider', 'guides/send-through-your-provider'],
    ['Archive what was sent', 'guides/archive-what-was-sent'],
    ['Receive webhooks', 'guides/receive-webhooks'],
    ['Connect a provider', 'guides/connect-a-provider'],
    ['Run a batch', 'guides/run-a-batch'],
    ['Embed the widget', 'guides/embed-the-widget'],
    ['Read insights', 'guides/read-insights'],
    ['Handle errors', 'guides/handle-errors'],
    ['Go-live checklist', 'guides/go-live'],
    ['Security', 'guides/security'],
  ]),
  group('Look up', [
    ['Operations', 'endpoints'],
    ['Event types', 'events'],
    ['Error codes', 'errors'],
  ]),
  group('Integrate in depth', [
    ['Receiving webhooks', 'webhooks'],
    ['Custom events', 'custom-events'],
    ['Provider callbacks', 'inbound/'],
    ['Kinds of receivers', 'inbound/kinds'],
    ['Integration operations', 'operations'],
    ['Batches and executions', 'batch'],
    ['Files by SFTP', 'sftp'],
    ['File sources', 'file-sources'],
    ['Exports', 'exports'],
    ['Widgets and recipients', 'widget'],
  ]),
  group('Campaigns in depth', [
    ['Cohorts', 'cohorts'],
    ['Journeys', 'journeys'],
    ['Personalization', 'personalization'],
    ['HTML of messages and pages', 'html'],
    ['Gallery of e-mails', 'gallery'],
    ['Sending', 'sending'],
    ['Insights', 'insights'],
    ['Merging and erasing', 'privacy'],
  ]),
  group('Rules of the interface', [
    ['Authentication', 'authentication'],
    ['API conventions', 'api-conventions'],
    ['Scopes and fields', 'authorization'],
    ['Limits', 'limits'],
    ['Versions and deprecation', 'versioning'],
    ['Changelog', 'changelog'],
    ['Deviations', 'deviations'],
    ['Clients', 'clients'],
    ['Command line', 'cli'],
    ['Glossary', 'glossary'],
  ]),
];

/** Pages for those who run the service or change its code. */
const forOperators = [
  group('Operate', [
    ['At night', 'night'],
    ['Operations guide', 'operators'],
    ['Runbook', 'runbook'],
    ['Kubernetes', 'kubernetes/'],
    ['Settings', 'settings'],
    ['Commands', 'commands'],
    ['Metrics', 'metrics'],
    ['Workflows', 'workflows'],
    ['Tables', 'tables'],
    ['Fault tolerance', 'faults'],
    ['Performance', 'performance'],
    ['Scaling', 'scaling'],
  ]),
  group('Review security', [
    ['Security', 'security'],
    ['Audit trail and logs', 'audit'],
    ['OWASP ASVS 5.0', 'security-asvs'],
  ]),
  group('Change the code', [
    ['Architecture', 'architecture'],
    ['Add a resource', 'add-a-resource'],
    ['The first hour, tried', 'first-hour'],
    ['Libraries', 'libraries'],
    ['Mutants', 'mutants'],
    ['Decision records', 'adr/'],
  ]),
];

const addresses = (groups: readonly { items: readonly { link: string }[] }[]) =>
  groups.flatMap(({ items }) => items.map(({ link }) => link));

function matchOf(groups: readonly { items: readonly { link: string }[] }[]): string {
  return `^(${addresses(groups).join('|')})(\\.html)?$`;
}

export const navigation: DefaultTheme.NavItem[] = [
  { text: 'Quick start', link: '/quick-start' },
  { text: 'Guides', link: '/guides/', activeMatch: '^/guides/' },
  { text: 'Reference', link: '/reference', target: '_self' },
  { text: 'Events', link: '/events' },
  { text: 'Errors', link: '/errors' },
  { text: 'For operators', link: '/operators', activeMatch: matchOf(forOperators) },
];

/** The menu of operators for their pages, that of partners for all others. */
export const sidebars: DefaultTheme.SidebarMulti = {
  ...Object.fromEntries(addresses(forOperators).map((link) => [link, forOperators])),
  '/': forPartners,
};
