import { errorCatalog } from '../platform/http/error-catalog.ts';
import type { ErrorCode } from '../platform/http/error-catalog.ts';

const style = `body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:46rem;padding:0 1rem;color:#1c2430}
code{background:#f0f2f5;padding:.1em .3em;border-radius:3px}td,th{text-align:left;padding:.3rem .8rem .3rem 0;vertical-align:top}
pre{background:#f0f2f5;padding:.6rem;overflow-x:auto}a{color:#0b57d0}`;

/** The interactive reference, drawn from /v2/meta/openapi.json by assets served from here. */
export function docsPage(): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Onward API</title>
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;
}

export function errorPage(code: ErrorCode): string {
  const [status, title, remedy] = errorCatalog[code];
  return plainPage(
    code,
    `<h1><code>${code}</code></h1>
<p><strong>${escape(title)}</strong> (HTTP ${String(status)})</p>
<h2>What to do</h2>
<p>${escape(remedy)}</p>
<p>Every error carries <code>meta.request_id</code>; name it when you ask for help, or <a href="/docs/requests">look the request up</a>.</p>
<p><a href="/docs/errors">All error codes</a></p>`,
  );
}

export function errorIndexPage(): string {
  const rows = Object.entries(errorCatalog).map(
    ([code, [status, title]]) =>
      `<tr><td><a href="/docs/errors/${code}"><code>${code}</code></a></td>` +
      `<td>${String(status)}</td><td>${escape(title)}</td></tr>`,
  );
  return plainPage(
    'Error codes',
    `<h1>Error codes</h1><p>The same as JSON: <code>GET /v2/meta/error-codes</code>; the types of events: <code>GET /v2/meta/event-types</code> (<a href="/docs">API reference</a>).</p><table><tr><th>Code</th><th>HTTP</th><th>Meaning</th></tr>${rows.join('\n')}</table>`,
  );
}

/** Page that explains the search for a request. */
export function requestsPage(publicBaseUrl: string): string {
  const request = (query: string) =>
    `<pre>curl -g "${escape(publicBaseUrl)}/v2/meta/requests?${query}" -H "Authorization: Bearer $TOKEN"</pre>`;
  return plainPage(
    'Requests',
    `<h1>Requests</h1>
<p>What your team asked for in the last seven days, by <code>GET /v2/meta/requests</code> (<a href="/docs#/Meta/listRequests">reference</a>) with the scope <code>meta:requests:read</code>. A request is there within a second of its answer.</p>
<h2>One request</h2>
<p>Every answer names its request in <code>X-Request-Id</code>, and every error in <code>meta.request_id</code>. A request may bring an id of its own in that header.</p>
${request('filter[request_id]=REQUEST_ID')}
<h2>What was refused</h2>
${request('filter[status][gte]=400&amp;filter[operation]=createContact')}
<h2>What is kept</h2>
<p>Path, parameters and bodies with their ids, numbers, flags, times and words of a fixed choice. Any other text is kept as its length, secrets included; bodies are cut to 2048 characters. <a href="/docs/errors">Error codes</a></p>`,
  );
}

function plainPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} · Onward</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
