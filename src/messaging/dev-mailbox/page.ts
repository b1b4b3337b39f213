import { escapeHtml } from '../../platform/content/html.ts';
import { localPage } from '../../platform/content/local-page.ts';
import type { PageLink } from '../../platform/content/local-page.ts';
import type { MailboxMessage } from './queries.ts';
import { cutShown } from '../../platform/cut-text.ts';

const style =
  'iframe { width: 100%; height: 36rem; border: 1px solid var(--line); background: #fff; color-scheme: light; }';

/** The newest messages of the mailbox. */
export function mailboxPage(
  links: readonly PageLink[],
  messages: readonly MailboxMessage[],
): string {
  const rows = messages.map(({ id, channel, recipient, content, inserted_at, team_id }) => {
    const title = content.channel === 'email' ? content.subject : content.body;
    return `<tr><td>${escapeHtml(inserted_at)}</td><td>${channel}</td><td>${escapeHtml(recipient)}</td><td><a href="/mailbox/${id}">${escapeHtml(cutShown(title, 120) || '(empty)')}</a></td><td><a href="/mailbox?team=${team_id}">${team_id}</a></td></tr>`;
  });
  return page(
    links,
    'Mailbox',
    `<h1>Mailbox</h1>
<p class="summary">What was sent where no provider is configured; kept for seven days.</p>
<div class="wide"><table><tr><th>When</th><th>Channel</th><th>To</th><th>Message</th><th>Team</th></tr>${rows.join('\n')}</table></div>`,
  );
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
      `${back}<table>${line('To', recipient)}</table><pre>${escapeHtml(JSON.stringify(content, null, 2))}</pre>`,
    );
  }
  const { from, subject, replyTo, html, text, unsubscribeUrl } = content;
  const sender = from.name === undefined ? from.address : `${from.name} <${from.address}>`;
  return page(
    links,
    subject,
    `${back}<h1>${escapeHtml(subject)}</h1><table>${line('From', sender)}${line('To', recipient)}${line('Subject', subject)}${line('Reply-To', replyTo)}${line('Unsubscribe', unsubscribeUrl)}</table>
<iframe sandbox title="Message" srcdoc="${escapeHtml(html)}"></iframe>
<h2>As text</h2><pre>${escapeHtml(text)}</pre>`,
  );
}

const page = (links: readonly PageLink[], title: string, body: string) =>
  localPage({ title, path: '/mailbox', links, body, style });
