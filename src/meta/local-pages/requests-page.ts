import { localPage } from '../../platform/content/local-page.ts';
import type { PageLink } from '../../platform/content/local-page.ts';
import { tokenFields } from './sign-in.ts';

const style = `.requests { width: 100%; } .requests td { white-space: nowrap; } .requests td.path { white-space: normal; overflow-wrap: anywhere; }
.good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; }
.requests button { height: auto; padding: 0 .4rem; font: inherit; border: 0; background: none; color: var(--accent); }
.detail td { background: var(--field); white-space: normal; padding: .75rem; } .detail pre { background: var(--page); }
.detail dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: 0 0 .5rem; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }`;

/** /requests: what a team asked for lately, as the log of requests keeps it. */
export const requestsPage = (links: readonly PageLink[]): string =>
  localPage({
    title: 'Requests',
    path: '/requests',
    links,
    style,
    scripts: ['/requests/page.js'],
    body: `<h1>Requests</h1>
<p class="summary">The latest requests of your team, within a second of their answers. Texts and secrets are kept as their length only; bodies are cut to 2,048 characters.</p>
<form autocomplete="off">
${tokenFields}
<div><label for="which">Show</label><select id="which" name="which"><option value="">All requests</option><option value="refused">Refused (4xx and 5xx)</option><option value="writes">Writes</option></select></div>
<div><label for="request">Request id</label><input id="request" name="request" size="36" placeholder="any"></div>
<button>Show</button>
</form>
<p id="state" role="status" aria-live="polite"></p>
<div class="wide"><table class="requests" hidden><thead><tr><th scope="col">When</th><th scope="col">Status</th><th scope="col">Request</th><th scope="col">Operation</th><th scope="col">Time</th><th scope="col">Errors</th><th scope="col"><span class="skip">Details</span></th></tr></thead><tbody></tbody></table></div>`,
  });
