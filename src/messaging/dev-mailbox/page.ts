import { escapeHtml } from '../../platform/content/html.ts';
import { localPage } from '../../platform/content/local-page.ts';
import type { PageLink } from '../../platform/content/local-page.ts';
import { cutShown } from '../../platform/cut-text.ts';
import type { MailboxMessage } from './queries.ts';

const style = `.mails { list-style: none; margin: 0; padding: 0; border: 1px solid var(--line); border-radius: var(--radius); overflow: hidden; }
.mails li + li { border-top: 1px solid var(--line); }
.mails a { display: grid; grid-template-columns: 8rem minmax(0, 14rem) minmax(0, 1fr) auto; gap: 0 1rem; align-items: baseline; padding: .65rem 1rem; color: inherit; text-decoration: none; }
.mails a:hover { background: var(--field); } .mails b { color: var(--strong); overflow-wrap: anywhere; } .mails span { color: var(--soft); overflow-wrap: anywhere; }
.tag { border: 1px solid var(--line); border-radius: 1rem; padding: 0 .5rem; font-size: .8rem; white-space: nowrap; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .25rem 1rem; margin: 0 0 1rem; } dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
.views { display: flex; gap: .25rem 1.25rem; border-bottom: 1px solid var(--line); margin: 0 0 1rem; padding: 0; list-style: none; }
.views a { display: inline-block; padding: .5rem 0; color: var(--soft); text-decoration: none; border-bottom: 2px solid transparent; }
.views a[aria-current] { color: var(--text); border-color: var(--accent); }
.empty { border: 1px dashed var(--edge); border-radius: var(--radius); padding: 1.5rem; max-width: 46rem; } .empty > :last-child { margin-bottom: 0; }
iframe { width: 100%; height: 70vh; min-height: 24rem; border: 1px solid var(--line); border-radius: var(--radius); background: #fff; color-scheme: light; }
@media (max-width: 48rem) { main { padding-inline: 1rem; } .mails a { grid-template-columns: minmax(0, 1fr) auto; gap: .15rem .75rem; }
  .mails b { grid-column: 1 / -1; grid-row: 2; } .mails .to { grid-row: 1; } .mails time { grid-row: 1; grid-column: 2; } .mails .about { grid-column: 1 / -1; } form label, form input { width: 100%; } }`;

/** The messages that a list shows. */
export interface MailboxView {
  /** Id of a team. */
  team: string | null;
  /** A part of the address of the recipient. */
  to: string;
  /** Whether the page loads itself again every few seconds. */
  isLive: boolean;
}

const reloadEverySeconds = 5;
const channelNames = { email: 'E-mail', sms: 'Text message', push: 'Push' } as const;

/** The newest messages of the mailbox. */
export function mailboxPage(
  links: readonly PageLink[],
  messages: readonly MailboxMessage[],
  { team, to, isLive }: MailboxView,
  nowMs: number,
): string {
  const rows = messages.map(({ id, channel, recipient, content, inserted_at, team_name }) => {
    const title = content.channel === 'email' ? content.subject : content.body;
    return (
      `<li><a href="/mailbox/${id}"><time datetime="${escapeHtml(inserted_at)}" ` +
      `title="${escapeHtml(inserted_at)}">${sinceOf(inserted_at, nowMs)}</time>` +
      `<span class="to">${escapeHtml(recipient)}</span> <b>${escapeHtml(cutShown(title, 120) || '(empty)')}</b> ` +
      `<span class="about"><span class="tag">${channelNames[channel]}</span> ${escapeHtml(team_name ?? '')}</span></a></li>`
    );
  });
  const address = (live: boolean) => {
    const query = new URLSearchParams({
      ...(team !== null && { team }),
      ...(to !== '' && { to }),
      ...(live && { live: 'on' }),
    }).toString();
    return query === '' ? '/mailbox' : `/mailbox?${query}`;
  };
  const isFiltered = team !== null || to !== '';
  const list =
    rows.length > 0
      ? `<ul class="mails">${rows.join('\n')}</ul>`
      : isFiltered
        ? '<div class="empty"><p>No message fits.</p><p><a href="/mailbox">Show all messages</a></p></div>'
        : whyEmpty;
  return localPage({
    ...{ title: 'Mailbox', path: '/mailbox', links, style },
    ...(isLive && { reloadEverySeconds }),
    body: `<h1>Mailbox</h1>
<p class="summary">What was sent where no provider is configured; kept for seven days.</p>
<form action="/mailbox" role="search"><label>Recipient<br><input name="to" type="search" value="${escapeHtml(to)}"></label>
${team === null ? '' : `<input type="hidden" name="team" value="${escapeHtml(team)}">`}<button>Filter</button>
<a href="${escapeHtml(address(!isLive))}">${isLive ? 'Stop the refresh' : 'Refresh every 5 seconds'}</a>${isFiltered ? '\n<a href="/mailbox">All messages</a>' : ''}</form>
${list}`,
  });
}

const whyEmpty = `<div class="empty"><h2>No message yet</h2>
<p>Messages are sent to contacts who are enrolled in a template that is launched. Where a team has a provider of its own, its messages go there and not to this page.</p>
<ol><li>Create a contact with an <code>email</code> and a consent for it.</li>
<li>Enroll the contact: <code>POST /v2/partner/templates/{id}/enrollments</code>.</li>
<li>Or send one message at once: <code>POST /v2/partner/messages/{id}/test-sends</code>.</li></ol></div>`;

/** Time since something, short, as lists show it. */
function sinceOf(at: string, nowMs: number): string {
  const seconds = Math.max(0, Math.round((nowMs - Date.parse(at)) / 1_000));
  if (seconds < 60) return 'now';
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${String(minutes)} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${String(hours)} h ago`;
  const days = Math.floor(hours / 24);
  return days === 1 ? 'yesterday' : `${String(days)} days ago`;
}

const views = { html: 'HTML', text: 'Text', source: 'Source' } as const;

/** One message. Content of partners is in a frame of its own without scripts. */
export function mailboxMessagePage(
  links: readonly PageLink[],
  { id, recipient, content, team_id, team_name, inserted_at }: MailboxMessage,
  requested: string,
): string {
  const line = (name: string, value: string | undefined) =>
    value === undefined ? '' : `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`;
  const team = `<dt>Team</dt><dd><a href="/mailbox?team=${team_id}">${escapeHtml(team_name ?? team_id)}</a></dd>`;
  const sent = `<dt>Sent</dt><dd><time datetime="${escapeHtml(inserted_at)}">${escapeHtml(inserted_at)}</time></dd>`;
  const page = (title: string, body: string) =>
    localPage({
      ...{ title, path: '/mailbox', links, style },
      body: `<p><a href="/mailbox">All messages</a></p><h1>${escapeHtml(title)}</h1>${body}`,
    });
  if (content.channel !== 'email') {
    const title = content.channel === 'sms' ? 'Text message' : 'Push message';
    return page(
      title,
      `<dl>${line('To', recipient)}${team}${sent}</dl><p>${escapeHtml(content.body)}</p>` +
        `<h2>Source</h2><pre>${escapeHtml(JSON.stringify(content, null, 2))}</pre>`,
    );
  }
  const { from, subject, replyTo, html, text, unsubscribeUrl } = content;
  const sender = from.name === undefined ? from.address : `${from.name} <${from.address}>`;
  const view = requested === 'text' || requested === 'source' ? requested : 'html';
  const tabs = Object.entries(views).map(
    ([name, label]) =>
      `<li><a href="/mailbox/${id}?view=${name}"${name === view ? ' aria-current="page"' : ''}>${label}</a></li>`,
  );
  const shown = {
    html: `<iframe sandbox title="Message" srcdoc="${escapeHtml(html)}"></iframe>`,
    text: `<pre>${escapeHtml(text)}</pre>`,
    source: `<pre>${escapeHtml(html)}</pre>`,
  };
  const about =
    `${line('From', sender)}${line('To', recipient)}${line('Reply-To', replyTo)}` +
    `${line('Unsubscribe', unsubscribeUrl)}${team}${sent}`;
  return page(
    subject || '(no subject)',
    `<dl>${about}</dl><nav aria-label="Views of the message"><ul class="views">${tabs.join('')}</ul></nav>${shown[view]}`,
  );
}
