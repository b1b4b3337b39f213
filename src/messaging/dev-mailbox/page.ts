import { escapeHtml } from '../../platform/content/html.ts';
import { localPage } from '../../platform/content/local-page.ts';
import type { PageLink } from '../../platform/content/local-page.ts';
import type { MailboxMessage } from './queries.ts';
import { cutShown } from '../../platform/cut-text.ts';
import { toTimestamp } from '../../platform/time/rules.ts';

const style =
  '.mails { width: 100%; } .mails td { overflow-wrap: anywhere; } .mails time, .mails .channel { white-space: nowrap; color: var(--soft); } @media (max-width: 40rem) { .mails, .mails tbody { display: block; } .mails thead { position: absolute; left: -100rem; } .mails tr { display: flex; flex-wrap: wrap; gap: .1rem .9rem; padding: .7rem 0; border-bottom: 1px solid var(--line); } .mails td { border: 0; padding: 0; } .mails .subject { order: -1; flex: 1 1 100%; } .facts th { white-space: nowrap; } .facts td { overflow-wrap: anywhere; } } iframe { width: 100%; height: 36rem; border: 1px solid var(--line); background: #fff; color-scheme: light; }';

/** The newest messages of the mailbox. */
export function mailboxPage(
  links: readonly PageLink[],
  messages: readonly MailboxMessage[],
): string {
  const rows = messages.map(({ id, channel, recipient, content, inserted_at, team_id }) => {
    const title = content.channel === 'email' ? content.subject : content.body;
    return `<tr role="row"><td role="cell">${timeOf(inserted_at)}</td><td role="cell" class="channel">${channel}</td><td role="cell">${escapeHtml(recipient)}</td><td role="cell" class="subject"><a href="/mailbox/${id}">${escapeHtml(cutShown(title, 120) || '(empty)')}</a></td><td role="cell"><a href="/mailbox?team=${team_id}">Only this team</a></td></tr>`;
  });
  const heads = ['When', 'Channel', 'To', 'Message', 'Team'].map(
    (name) => `<th scope="col" role="columnheader">${name}</th>`,
  );
  const table = `<table class="mails" role="table" aria-label="Messages"><thead role="rowgroup"><tr role="row">${heads.join('')}</tr></thead><tbody role="rowgroup">${rows.join('\n')}</tbody></table>`;
  const empty =
    '<p>Nothing was sent yet. A message is sent to contacts who are enrolled in a launched template, or by <code>POST /v2/partner/messages/{id}/sends</code>.</p>';
  return page(
    links,
    'Mailbox',
    `<h1>Mailbox</h1>
<p class="summary">What was sent where no provider is configured; kept for seven days. <a href="/mailbox">All teams</a></p>
${rows.length === 0 ? empty : table}`,
  );
}

/** A time of the database to the second. */
function timeOf(text: string): string {
  const [day = '', clock = ''] = toTimestamp(Date.parse(text)).split(/[T.]/);
  return `<time datetime="${escapeHtml(text)}">${day} ${clock} UTC</time>`;
}

/** One message. Content of partners is in a frame of its own without scripts. */
export function mailboxMessagePage(
  links: readonly PageLink[],
  { recipient, content }: MailboxMessage,
): string {
  const line = (name: string, value: string | undefined) =>
    value === undefined ? '' : `<tr><th>${name}</th><td>${escapeHtml(value)}</td></tr>`;
  const back = '<p><a href="/mailbox">All messages</a></p>';
  if (content.channel !== 'email') {
    return page(
      links,
      'Message',
      `${back}<table class="facts">${line('To', recipient)}</table><pre>${escapeHtml(JSON.stringify(content, null, 2))}</pre>`,
    );
  }
  const { from, subject, replyTo, html, text, unsubscribeUrl } = content;
  const sender = from.name === undefined ? from.address : `${from.name} <${from.address}>`;
  return page(
    links,
    subject,
    `${back}<h1>${escapeHtml(subject)}</h1><table class="facts">${line('From', sender)}${line('To', recipient)}${line('Subject', subject)}${line('Reply-To', replyTo)}${line('Unsubscribe', unsubscribeUrl)}</table>
<iframe sandbox title="Message" srcdoc="${escapeHtml(html)}"></iframe>
<h2>As text</h2><pre>${escapeHtml(text)}</pre>`,
  );
}

const page = (links: readonly PageLink[], title: string, body: string) =>
  localPage({ title, path: '/mailbox', links, body, style });
