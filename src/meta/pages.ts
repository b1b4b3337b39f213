import { errorCatalog } from '../platform/http/error-catalog.ts';
import type { ErrorCode } from '../platform/http/error-catalog.ts';

const style = `:root{color-scheme:light dark;--ink:#3c3c43;--strong:#1b1b1f;--paper:#fff;--soft:#f6f6f7;--line:#e2e2e3;--link:#0b57d0}
@media (prefers-color-scheme:dark){:root{--ink:#dfdfd6;--strong:#fff;--paper:#1b1b1f;--soft:#202127;--line:#2e2e32;--link:#9dbcff}}
body{font:16px/1.6 ui-sans-serif,system-ui,sans-serif;margin:0;color:var(--ink);background:var(--paper)}
header{border-bottom:1px solid var(--line);padding:1rem 1.5rem;font-size:14px}nav{display:flex;gap:1.25rem}nav a{color:var(--ink);text-decoration:none;font-weight:500}
nav .brand{color:var(--strong);font-weight:600;margin-right:auto}main{max-width:46rem;margin:2rem auto;padding:0 1.5rem}h1,h2{color:var(--strong);line-height:1.3}
code{background:var(--soft);padding:.15em .35em;border-radius:4px;font-size:.9em}pre{background:var(--soft);padding:1rem;overflow-x:auto;border-radius:8px}a{color:var(--link)}`;

export function errorPage(code: ErrorCode): string {
  const [status, title, remedy] = errorCatalog[code];
  return plainPage(
    code,
    `<h1><code>${code}</code></h1>
<p><strong>${escape(title)}</strong> (HTTP ${String(status)})</p>
<h2>What to do</h2>
<p>${escape(remedy)}</p>
<p>Every error carries <code>meta.request_id</code>; name it when you ask for help, or <a href="/docs/requests">look the request up</a>.</p>
<p><a href="/docs/errors#${code}">All error codes</a></p>`,
  );
}

/** Stands in for the documentation until it has been built. */
export function buildingPage(): string {
  return plainPage(
    'Documentation',
    `<h1>The documentation is being built</h1>
<p>This takes about 20 seconds. The page reloads by itself.</p>
<p>Nothing happens? The pages of this installation are built by <code>npm run site</code>, which also shows what is wrong.</p>`,
    '<meta http-equiv="refresh" content="3">',
  );
}

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCatalog, code);
}

/** Page that explains the search for a request. */
export function requestsPage(publicBaseUrl: string): string {
  const request = (query: string) =>
    `<pre>curl -g "${escape(publicBaseUrl)}/v2/meta/requests?${query}" -H "Authorization: Bearer $TOKEN"</pre>`;
  return plainPage(
    'Requests',
    `<h1>Requests</h1>
<p>What your team asked for in the last seven days, by <code>GET /v2/meta/requests</code> (<a href="/docs/reference#listRequests">reference</a>) with the scope <code>meta:requests:read</code>. A request is there within a second of its answer.</p>
<h2>One request</h2>
<p>Every answer names its request in <code>X-Request-Id</code>, and every error in <code>meta.request_id</code>. A request may bring an id of its own in that header.</p>
${request('filter[request_id]=REQUEST_ID')}
<h2>What was refused</h2>
${request('filter[status][gte]=400&amp;filter[operation]=createContact')}
<h2>What is kept</h2>
<p>Path, parameters and bodies with their ids, numbers, flags, times and words of a fixed choice. Any other text is kept as its length, secrets included; bodies are cut to 2048 characters. <a href="/docs/errors">Error codes</a></p>`,
  );
}

/** A page in the design of the site, without its scripts. */
function plainPage(title: string, body: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} · Onward</title>
${head}
<style>${style}</style>
</head>
<body>
<header><nav aria-label="Main"><a class="brand" href="/docs">Onward</a> <a href="/docs/reference">Reference</a> <a href="/docs/errors">Errors</a> <a href="/docs/requests">Requests</a></nav></header>
<main>
${body}
</main>
</body>
</html>
`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
