import { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import DKIM from 'nodemailer/lib/dkim';
import type { SmtpConfig } from '../../platform/config.ts';
import type { EmailContent, OutgoingMessage, SendResult, Sender } from './sender.ts';
import { composeMime } from './mime-message.ts';

/** Messages over one connection; some servers end it after a hundred. */
const messagesPerConnection = 100;

/** E-mail by SMTP, to one recipient each, over connections that stay open. */
export function createSmtpSender({ url, requiresTls, connections, family }: SmtpConfig): Sender {
  const transport = createTransport({
    url,
    pool: true,
    requireTLS: requiresTls,
    tls: { minVersion: 'TLSv1.2' },
    maxConnections: connections,
    maxMessages: messagesPerConnection,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  transport.use('stream', ({ data, message }, done) => {
    const { raw, dkim } = data;
    if (typeof raw === 'string') {
      message.createReadStream = () => (dkim ? new DKIM(dkim).sign(raw) : streamOf(raw));
    }
    done();
  });
  return {
    provider: 'smtp',
    // So few that none waits for long for a connection: its time is part of the lease.
    places: connections,
    reports: false,
    async send(message, timeoutMs): Promise<SendResult> {
      const { content } = message;
      if (content.channel !== 'email') return { kind: 'refused', code: 'wrong_channel' };
      const messageId = messageIdOf(message.id, content);
      const from = { name: content.from.name ?? '', address: content.from.address };
      const to = { name: '', address: content.to };
      const { subject, html, text, replyTo } = content;
      try {
        const sending = transport.sendMail({
          envelope: { from, to },
          // The library would make one up for itself, of bytes from the system.
          messageId,
          ...(content.dkim && { dkim: content.dkim }),
          raw: composeMime({
            messageId,
            from,
            to,
            subject,
            html,
            text,
            replyTo,
            headers: { ...unsubscribeHeaders(content), ...correlationHeaders(message, family) },
          }),
        });
        await within(sending, timeoutMs);
        return { kind: 'sent', providerMessageId: messageId, recipient: content.to };
      } catch (error) {
        return failureOf(error);
      }
    },
    close() {
      transport.close();
      return Promise.resolve();
    },
  };
}

/** In one piece, while the library's own is a pipeline of three streams. */
function streamOf(whole: string): Readable {
  return new Readable({
    read() {
      this.push(whole);
      this.push(null);
    },
  });
}

/** The same for every attempt, so that a mailbox can recognize a repeat. */
const messageIdOf = (id: string, { from: { address } }: EmailContent) =>
  `${id}@${address.slice(address.lastIndexOf('@') + 1)}`;

// RFC 8058.
function unsubscribeHeaders({ unsubscribeUrl }: EmailContent): Record<string, string> {
  if (unsubscribeUrl === undefined) return {};
  return {
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}

/** Our ids as the provider behind the server echoes them, and in headers of our own. */
function correlationHeaders(
  { correlation }: OutgoingMessage,
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

class TooSlow extends Error {}

/** After the timeout it is unknown whether the server will accept the message. */
async function within<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new TooSlow('the server did not answer in time'));
    }, timeoutMs);
  });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Before there was a session: of a socket, of a name, of TLS, of a login. */
const withoutSession = ['EAUTH', 'EDNS', 'ETLS'];
const unreachable = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'];

/**
 * Codes of 500 and above reject this message permanently (RFC 5321 §4.2.1), unless they belong to a
 * greeting or a login. 421 closes the session in every case.
 */
function failureOf(error: unknown): SendResult {
  if (error instanceof TooSlow) {
    return { kind: 'later', code: 'timeout', outage: { isSure: false } };
  }
  const seen = (key: string): unknown =>
    typeof error === 'object' && error !== null ? Reflect.get(error, key) : undefined;
  const [reply, name, cause] = [seen('responseCode'), String(seen('code')), seen('originalCode')];
  const isGreeting = name === 'EPROTOCOL' && seen('command') === 'CONN';
  const isSure =
    reply === 421 ||
    isGreeting ||
    withoutSession.includes(name) ||
    unreachable.includes(String(cause));
  if (typeof reply === 'number') {
    const code = `smtp_${String(reply)}`;
    if (isSure) return { kind: 'later', code, outage: { isSure } };
    return { kind: reply >= 500 ? 'refused' : 'later', code };
  }
  const code = name.startsWith('E') ? `smtp_${name.toLowerCase()}` : 'smtp_error';
  return { kind: 'later', code, outage: { isSure } };
}
