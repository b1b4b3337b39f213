import { isUuid } from '../../platform/schema/fields.ts';
import { hasText } from '../../platform/http/content-tag.ts';
import { contentPolicy, framingOrigins } from '../../platform/http/security-headers.ts';
import type { Services } from '../../platform/http/services.ts';
import { landingPage } from './landing-page.ts';
import { partnerContent } from './page.ts';
import type { SitePage, Visit } from './page.ts';
import { findOriginsOf } from './queries.ts';
import { hashOf, integrityOf, scriptByHash, widgetScript } from './script.ts';

/** The page of a path; undefined where the path is none of these. */
export async function recipientSite(
  services: Services,
  path: string,
  visit: Visit,
): Promise<SitePage | undefined> {
  const [, teamId = '', slug] = /^\/p\/([\w-]{36})\/([a-z0-9-]{1,80})$/.exec(path) ?? [];
  if (slug !== undefined && isUuid(teamId)) {
    return landingPage(services, teamId.toLowerCase(), slug, visit);
  }
  if (visit.method === 'POST') return undefined;
  if (path === '/widget.js') return scriptFor(visit);
  if (path === '/widget.json') return pinFor(services.config.publicBaseUrl);
  const [, hash] = /^\/widget\/([0-9a-f]{64})\.js$/.exec(path) ?? [];
  if (hash !== undefined) return pinnedScript(hash);
  if (path === '/journey') return journeyPage('link', "'none'");
  // Some scanners of mails encode the mark that keeps the secret of a link in the browser.
  const [, secret] = /^\/journey%23([\w~.%-]{1,300})$/.exec(path) ?? [];
  if (secret !== undefined) return toFragment(secret);
  const [, key] = /^\/widget\/(wpk_[\w-]{10,60})$/.exec(path) ?? [];
  return key === undefined ? undefined : framePage(services, key);
}

const toFragment = (secret: string): SitePage => ({
  status: 302,
  type: 'text/html',
  headers: {
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    Location: `/journey#${secret}`,
  },
  body: '',
});

/** Pages of every origin load it; without CORS no browser would check its integrity. */
const forEveryOrigin = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** The script of an address that never means another text. */
async function pinnedScript(hash: string): Promise<SitePage | undefined> {
  const text = await scriptByHash(hash);
  if (text === undefined) return undefined;
  const headers = { 'Cache-Control': 'public, max-age=31536000, immutable', ...forEveryOrigin };
  return { type: 'text/javascript', headers, body: text };
}

/** Reference with which a page pins the current script. */
async function pinFor(publicBaseUrl: string): Promise<SitePage> {
  const { text } = await widgetScript();
  const src = `${publicBaseUrl}/widget/${hashOf(text)}.js`;
  const integrity = integrityOf(text);
  const html = `<script src="${src}" integrity="${integrity}" crossorigin="anonymous" async></script>`;
  return {
    type: 'application/json',
    headers: { 'Cache-Control': 'no-cache', ...forEveryOrigin },
    body: JSON.stringify({ src, integrity, html }),
  };
}

/** The current script, which browsers revalidate after some minutes. */
async function scriptFor({ headers }: Visit): Promise<SitePage> {
  const { text, etag } = await widgetScript();
  const isKnown = hasText(headers, etag);
  return {
    status: isKnown ? 304 : 200,
    type: 'text/javascript',
    headers: {
      ETag: etag,
      'Cache-Control': 'public, max-age=300, stale-while-revalidate=86400',
      ...forEveryOrigin,
    },
    body: isKnown ? '' : text,
  };
}

/** The recipient's page: its secret is in the fragment, which is never sent to a server. */
function journeyPage(secretKind: 'link' | 'token', frameAncestors: string): SitePage {
  return {
    type: 'text/html',
    headers: {
      'Content-Security-Policy': contentPolicy({
        ...partnerContent,
        'script-src': "'self'",
        'connect-src': "'self'",
        'frame-ancestors': frameAncestors,
      }),
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
<style>html{color-scheme:light dark}body{margin:0}noscript{font:1rem/1.5 system-ui,sans-serif}</style>
</head>
<body>
<div data-onward-fragment="${secretKind}"></div>
<noscript><p>Please allow JavaScript to see this page.</p></noscript>
<script src="/widget.js"></script>
</body>
</html>
`,
  };
}

/** The same within pages of a widget's origins, and of no others. */
async function framePage({ database }: Services, key: string): Promise<SitePage | undefined> {
  const origins = await database.read((sql) => findOriginsOf(sql, key), { isPipelined: true });
  return origins && journeyPage('token', framingOrigins(origins));
}
