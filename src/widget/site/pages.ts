import type { IncomingHttpHeaders } from 'node:http';
import { isUuid } from '../../fields.ts';
import type { Services } from '../../http/services.ts';
import { isMachineAgent } from '../../inbound/machine-agents.ts';
import { recordEngagement } from '../../partner/engagement-events/record.ts';
import { renderLandingPage } from '../../partner/rendering/landing-page.ts';
import { valuesOf } from '../../partner/rendering/variables.ts';
import { findOriginsOf, findPublishedPage } from './queries.ts';
import type { PublishedPage } from './queries.ts';
import { widgetScript } from './script.ts';

/** A page for recipients and visitors, or a part of one. */
export interface SitePage {
  status?: number;
  type: 'text/html' | 'text/javascript';
  headers: Readonly<Record<string, string>>;
  body: string;
}

interface Visit {
  method: string;
  headers: IncomingHttpHeaders;
}

/** The page of a path; undefined where the path is none of these. */
export async function recipientSite(
  services: Services,
  path: string,
  visit: Visit,
): Promise<SitePage | undefined> {
  if (path === '/widget.js') return scriptFor(visit);
  if (path === '/journey') return journeyPage("'none'");
  const [, key] = /^\/widget\/(wpk_[\w-]{10,60})$/.exec(path) ?? [];
  if (key !== undefined) return framePage(services, key);
  const [, teamId = '', slug] = /^\/p\/([\w-]{36})\/([a-z0-9-]{1,80})$/.exec(path) ?? [];
  return slug !== undefined && isUuid(teamId)
    ? landingPage(services, teamId.toLowerCase(), slug, visit)
    : undefined;
}

/** Pages of every origin load it; browsers ask again after some minutes. */
async function scriptFor({ headers }: Visit): Promise<SitePage> {
  const { text, etag } = await widgetScript();
  const isKnown = headers['if-none-match']?.split(/\s*,\s*/).includes(etag) ?? false;
  return {
    status: isKnown ? 304 : 200,
    type: 'text/javascript',
    headers: {
      ETag: etag,
      'Cache-Control': 'public, max-age=300, stale-while-revalidate=86400',
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    },
    body: isKnown ? '' : text,
  };
}

/** What partners write is sanitised HTML with styles of its own and images from anywhere. */
const contentPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src https: http: data:; base-uri 'none'; " +
  "form-action 'none'";

/** The recipient's page: its secret stands in the fragment, which no server ever sees. */
function journeyPage(frameAncestors: string): SitePage {
  return {
    type: 'text/html',
    headers: {
      'Content-Security-Policy':
        `${contentPolicy}; script-src 'self'; connect-src 'self'; ` +
        `frame-ancestors ${frameAncestors}`,
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-cache',
    },
    body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Welcome</title>
</head>
<body>
<main><div data-onward-fragment></div></main>
<noscript><p>Please allow JavaScript to see this page.</p></noscript>
<script src="/widget.js"></script>
</body>
</html>
`,
  };
}

/** The same within pages of a widget's origins, and of no others. */
async function framePage({ database }: Services, key: string): Promise<SitePage | undefined> {
  const origins = await database.read((sql) => findOriginsOf(sql, key), { shares: true });
  return origins && journeyPage(origins.length > 0 ? origins.join(' ') : "'none'");
}

async function landingPage(
  services: Services,
  teamId: string,
  slug: string,
  visit: Visit,
): Promise<SitePage> {
  const { database, config } = services;
  const page = await database.read((sql) => findPublishedPage(sql, teamId, slug), { shares: true });
  const headers = {
    'Content-Security-Policy': `${contentPolicy}; frame-ancestors 'none'`,
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Cache-Control': 'no-cache',
  };
  if (!page) return { status: 404, type: 'text/html', headers, body: nothingHere };
  const { title } = page.content;
  const url = `${config.publicBaseUrl}/p/${teamId}/${slug}`;
  const surroundings = { landing_page: { title, url }, team: { name: page.team_name } };
  const body = renderLandingPage(page.content, valuesOf(surroundings));
  if (visit.method === 'GET') await noteView(services, teamId, page, visit);
  return { type: 'text/html', headers, body };
}

/** A visitor is nobody in particular. A flood of visits is shown the page, and is not counted. */
async function noteView(
  { database, limiter, log }: Services,
  teamId: string,
  { id, tier }: PublishedPage,
  { headers }: Visit,
): Promise<void> {
  const agent = headers['user-agent']?.slice(0, 512);
  try {
    const verdict = await limiter.take(id, tier, 'widget');
    if (verdict?.allowed === false) return;
    await database.transact((sql) =>
      recordEngagement(sql, teamId, [
        {
          kind: 'landing_page.viewed',
          ...{ channel: 'web', source: 'landing_page', landing_page_id: id },
          is_machine: isMachineAgent(agent),
          occurred_at: new Date().toISOString(),
          ...(agent !== undefined && agent !== '' && { user_agent: agent }),
        },
      ]),
    );
  } catch (error) {
    // The page is worth more than its count.
    log.warn({ err: error }, 'a visit could not be recorded');
  }
}

const nothingHere = `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Nothing here</title></head>
<body><main><h1>Nothing here</h1><p>This page does not exist, or is not published.</p></main></body></html>
`;
