import { escapeHtml } from '../platform/content/html.ts';
import { localPage } from '../platform/content/local-page.ts';
import type { PageLink } from '../platform/content/local-page.ts';
import { errorCatalog } from '../platform/http/error-catalog.ts';
import type { ErrorCode } from '../platform/http/error-catalog.ts';

type Links = readonly PageLink[];

export function errorPage(links: Links, code: ErrorCode): string {
  const [status, title, remedy] = errorCatalog[code];
  const example = {
    errors: [
      { code, title, detail: '…', meta: { request_id: '…', docs_url: `…/docs/errors/${code}` } },
    ],
  };
  const body = `<h1>${escapeHtml(title)}</h1>
<p>Code <code>${code}</code>, HTTP status ${String(status)}</p>
<h2>What to do</h2>
<p>${escapeHtml(remedy)}</p>
<h2>What the answer looks like</h2>
<pre>${escapeHtml(JSON.stringify(example, undefined, 2))}</pre>
<p><code>detail</code> says what is wrong with the request, and <code>meta.pointer</code> or <code>meta.parameter</code> where, if there is a place. Name <code>meta.request_id</code> when you ask for help, or <a href="/docs/requests">look the request up</a>.</p>
<p><a href="/docs/errors#${code}">All error codes</a></p>`;
  return textPage(links, code, body);
}

/** Stands in for the documentation until it has been built. */
export function buildingPage(links: Links): string {
  const body = `<h1>The documentation is being built</h1>
<p>This takes about 20 seconds. The page reloads by itself.</p>
<p>Nothing happens? The pages of this installation are built by <code>npm run site</code>, which also shows what is wrong.</p>`;
  return textPage(links, 'Documentation', body, { reloadEverySeconds: 3 });
}

/** Answers a browser of this machine that has not opened an address with the key. */
export function keyPage(links: Links): string {
  const body = `<h1>Open this page by its address with the key</h1>
<p><code>npm start</code> prints the addresses of these pages with a key, once for each browser. It keeps other machines out that reach this one through a proxy or a tunnel.</p>
<p>Print them again with <code>npm run --silent onward -- open</code>, and open one in this browser.</p>`;
  return textPage(links, 'The key is missing', body);
}

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCatalog, code);
}

/** Page that explains the search for a request. */
export function requestsPage(links: Links, publicBaseUrl: string): string {
  const request = (query: string) =>
    `<pre>curl -g "${escapeHtml(publicBaseUrl)}/v2/meta/requests?${query}" -H "Authorization: Bearer $TOKEN"</pre>`;
  const body = `<h1>Finding a request</h1>
<p>Every request of your team in the last seven days is on the page <a href="/requests">Requests</a>, and answered by <code>GET /v2/meta/requests</code> (<a href="/docs/reference#listRequests">reference</a>) with the scope <code>meta:requests:read</code>, within a second of its answer.</p>
<h2>One request</h2>
<p>Every answer names its request in <code>X-Request-Id</code>, and every error in <code>meta.request_id</code>. A request may bring an id of its own in that header.</p>
${request('filter[request_id]=REQUEST_ID')}
<h2>What was refused</h2>
${request('filter[status][gte]=400&amp;filter[operation]=createContact')}
<h2>What is kept</h2>
<p>Path, parameters and bodies with their ids, numbers, flags, times and words of a fixed choice. Any other text is kept as its length, secrets included; bodies are cut to 2048 characters. <a href="/docs/errors">Error codes</a></p>`;
  return textPage(links, 'Finding a request', body);
}

/** A page without scripts, below the documentation. */
const textPage = (
  links: Links,
  title: string,
  body: string,
  more: { reloadEverySeconds?: number } = {},
) =>
  localPage({ title, path: '/docs', links, body: `<div class="prose">\n${body}\n</div>`, ...more });
