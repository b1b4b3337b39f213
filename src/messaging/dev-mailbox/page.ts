import { escapeHtml } from '../../platform/content/html.ts';
import type { MailboxMessage } from './queries.ts';

const style = `body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:64rem;padding:0 1rem;color:#1c2430}
td,th{text-align:left;padding:.3rem .8rem .3rem 0;vertical-align:top}iframe{width:100%;height:36rem;border:1px solid #c6ccd5}
pre{background:#f0f2f5;padding:.6rem;white-space:pre-wrap}a{color:#0b57d0}`;

/** The newest messages of the mailbox. */
export function mailboxPage(messages: readonly MailboxMessage[]): string {
  const rows = messages.map(({ id, channel, recipient, content, inserted_at, team_id }) => {
    const title = content.channel === 'email' ? content.subject : content.body;
    return `<tr><td>${escapeHtml(inserted_at)}</td><td>${channel}</td><td>${escapeHtml(recipient)}</td><td><a href="/mailbox/${id}">${escapeHtml(title.slice(0, 120) || '(empty)')}</a></td><td><a href="/mailbox?team=${team_id}">${team_id}</a></td></tr>`;
  });
  return page(
    'Mailbox',
    `<h1>Mailbox</h1>
<p>What was sent where no provider is configured; kept for seven days.</p>
<table><tr><th>When</th><th>Channel</th><th>To</th><th>Message</th><th>Team</th></tr>${rows.join('\n')}</table>`,
  );
}

/** One message. Content of partners is in a frame of its own without scripts. */
export function mailboxMessagePage({ recipient, content }: MailboxMessage): string {
  const line = (name: string, value: string | undefined) =>
    value === undefined ? '' : `<tr><th>${name}</th><td>${escapeHtml(value)}</td></tr>`;
  const back = '<p><a href="/mailbox">All messages</a></p>';
  if (content.channel !== 'email') {
    return page(
      'Message',
      `${back}<table>${line('To', recipient)}</table><pre>${escapeHtml(JSON.stringify(content, null, 2))}</pre>`,
    );
  }
  const { from, subject, replyTo, html, text, unsubscribeUrl } = content;
  const sender = from.name === undefined ? from.address : `${from.name} <${from.address}>`;
  return page(
    subject,
    `${back}<table>${line('From', sender)}${line('To', recipient)}${line('Subject', subject)}${line('Reply-To', replyTo)}${line('Unsubscribe', unsubscribeUrl)}</table>
<iframe sandbox title="Message" srcdoc="${escapeHtml(html)}"></iframe>
<h2>As text</h2><pre>${escapeHtml(text)}</pre>`,
  );
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
}
