import { localPage } from '../../platform/content/local-page.ts';
import type { Services } from '../../platform/http/services.ts';
import { pageLinks } from './links.ts';
import { style } from './style.ts';

/** The team's pages, in the order of the header. What is in them is declared in script/. */
export const teamPages = {
  requests: {
    title: 'Requests',
    summary:
      'What your team asked of the API in the last seven days. Texts and secrets are kept as their length only; bodies are cut to 2,048 characters.',
  },
  webhooks: {
    title: 'Webhooks',
    summary:
      'Your team’s subscriptions: what was sent, what the receiver answered, and when the next attempt is due.',
  },
  batches: {
    title: 'Batches',
    summary: 'Batches, imports and runs of operations: how far they are, and which items failed.',
  },
  callbacks: {
    title: 'Callbacks',
    summary: 'Callbacks of providers to your receivers, and whether their signature was valid.',
  },
  campaigns: {
    title: 'Campaigns',
    summary:
      'Your team’s templates: what happened and what comes next, whom they reach, and what was not sent and why.',
  },
  people: {
    title: 'People',
    summary:
      'One contact: its journeys with what comes next and why, its messages, consents and accounts. Every look is recorded, as is every read of a contact, so that this page does not refresh itself.',
  },
  insights: {
    title: 'Insights',
    summary: 'What your team’s campaigns achieved, from the answers of the API.',
  },
} as const;

export type TeamPage = keyof typeof teamPages;

export const isTeamPage = (name: string): name is TeamPage => Object.hasOwn(teamPages, name);

/** A page below `base`, without data: its script reads the API with the token of the caller. */
export function teamPage(services: Services, name: TeamPage, base = ''): string {
  const { title, summary } = teamPages[name];
  // A portal session leads nowhere else.
  const temporal = base === '' ? workflowsAddress(services) : undefined;
  return localPage({
    title,
    path: `${base}/${name}`,
    facts: { base, ...(temporal !== undefined && { temporal }) },
    links: pageLinks(services, base),
    style,
    scripts: [`/${name}/page.js`],
    body: `<div id="intro"><h1>${title}</h1>
<p class="summary">${summary}</p></div>
<div id="session"></div>
<p id="state" class="unseen" role="status" aria-live="polite"></p>
<div id="page"><noscript>This page needs JavaScript: it reads the API with your token.</noscript></div>`,
  });
}

/** Where the workflows are shown, on the machine of `npm start`. */
function workflowsAddress({ local, config }: Services): string | undefined {
  const url = local?.temporalUiUrl();
  return url === undefined ? undefined : `${url}/namespaces/${config.temporalNamespace}/workflows`;
}
