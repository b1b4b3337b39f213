import type { SmtpConfig } from '../../platform/config.ts';
import type { Mail } from './mime-message.ts';
import type { EmailContent, OutgoingMessage } from './sender.ts';

/** An e-mail with headers that carry our ids, also in the form of the provider that echoes them. */
export function outgoingMail(
  { id, correlation }: Pick<OutgoingMessage, 'id' | 'correlation'>,
  content: EmailContent,
  family?: SmtpConfig['family'],
): Mail {
  const { from, to, subject, html, text, replyTo } = content;
  return {
    // The same for every attempt, so that a mailbox can recognize a repeat.
    messageId: `${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}`,
    from: { name: from.name ?? '', address: from.address },
    to: { name: '', address: to },
    subject,
    html,
    text,
    replyTo,
    headers: { ...unsubscribeHeaders(content), ...correlationHeaders(correlation, family) },
  };
}

// RFC 8058.
export function unsubscribeHeaders({ unsubscribeUrl }: EmailContent): Record<string, string> {
  if (unsubscribeUrl === undefined) return {};
  return {
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}

/** Our ids as the provider behind the server echoes them, and in headers of our own. */
function correlationHeaders(
  correlation: OutgoingMessage['correlation'],
  family: SmtpConfig['family'],
): Record<string, string> {
  const ids = Object.entries(correlation);
  if (ids.length === 0) return {};
  const own = Object.fromEntries(
    ids.map(([name, id]) => [`X-${name.toUpperCase().replaceAll('_', '-')}`, id]),
  );
  switch (family) {
    case 'email_a':
      return { ...own, 'X-SES-MESSAGE-TAGS': ids.map(([name, id]) => `${name}=${id}`).join(', ') };
    case 'email_b':
      return { ...own, 'X-SMTPAPI': JSON.stringify({ unique_args: correlation }) };
    case 'email_c':
      return { ...own, 'X-Mailgun-Variables': JSON.stringify(correlation) };
    case undefined:
      return own;
    default:
      return family satisfies never;
  }
}
