import { createTransport } from 'nodemailer';
import type { SMTPPoolOptions } from 'nodemailer/lib/smtp-pool';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { SmtpConfig } from '../../platform/config.ts';
import { EgressError, exchangeFailure } from '../../platform/egress/failure.ts';
import { egressFailure } from './http.ts';
import { composeMime } from './mime-message.ts';
import { outgoingMail } from './outgoing-mail.ts';
import type { SendResult, Sender } from './sender.ts';

/** Longest reply of a server; a longer one ends the connection. */
const maxReplyBytes = 65_536;
/** Empty lines between the replies of a connection; some servers send a few. */
const maxEmptyLines = 8;

/**
 * Closes connections whose server sends many empty lines, which no reply contains (RFC 5321 §4.2).
 * The library stores each, and takes one out in a turn of the event loop, even after the end of the
 * connection: a megabyte of them would occupy the process for minutes.
 */
function boundEmptyLines(): void {
  const { prototype } = SMTPConnection;
  const read: unknown = Reflect.get(prototype, '_processResponse');
  if (typeof read !== 'function') throw new Error('nodemailer reads replies in another way');
  const counts = new WeakMap<SMTPConnection, number>();
  Reflect.set(prototype, '_processResponse', function (this: SMTPConnection) {
    if (this.destroyed) return;
    const queue: unknown = Reflect.get(this, '_responseQueue');
    const reply: unknown = Array.isArray(queue) ? queue[0] : undefined;
    const isEmpty = typeof reply === 'string' && reply.trim() === '';
    const count = (counts.get(this) ?? 0) + (isEmpty ? 1 : 0);
    counts.set(this, count);
    if (count <= maxEmptyLines) {
      Reflect.apply(read, this, []);
      return;
    }
    const about = { code: 'EPROTOCOL', command: 'CONN' };
    this.emit('error', Object.assign(new Error('the server sends empty lines'), about));
    this.close();
  });
}

/** Messages over one connection; some servers end it after a hundred. */
const messagesPerConnection = 100;

boundEmptyLines();

/** Limits of every connection. */
export const connectionLimits = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
  maxResponseSize: maxReplyBytes,
};

/** E-mail by the server of the installation. */
export function createSmtpSender({ url, requiresTls, ...pool }: SmtpConfig): Sender {
  return createPool(pool, { url, requireTLS: requiresTls, tls: { minVersion: 'TLSv1.2' } });
}

/** E-mail by SMTP, to one recipient each, over connections that stay open. */
export function createPool(
  { connections, family }: Pick<SmtpConfig, 'connections' | 'family'>,
  server: SMTPPoolOptions,
): Sender {
  const transport = createTransport({
    ...connectionLimits,
    ...server,
    pool: true,
    maxConnections: connections,
    maxMessages: messagesPerConnection,
  });
  return {
    provider: 'smtp',
    // So few that none waits for long for a connection: its time is part of the lease.
    places: connections,
    reports: false,
    // A provider with a family calls back.
    isSilent: family === undefined,
    async send(message, timeoutMs): Promise<SendResult> {
      const { content } = message;
      if (content.channel !== 'email') return { kind: 'refused', code: 'wrong_channel' };
      const mail = outgoingMail(message, content, family);
      const tooSlow = new AbortController();
      const timer = setTimeout(() => tooSlow.abort(), timeoutMs);
      try {
        await transport.sendMail({
          envelope: { from: content.from.address, to: content.to },
          // One write for the message instead of one for each of its parts.
          raw: composeMime(mail),
          ...(content.dkim && { dkim: content.dkim }),
          // Closes the connection: a server that is silent occupies none for longer.
          signal: tooSlow.signal,
        });
        return { kind: 'sent', providerMessageId: mail.messageId, recipient: content.to };
      } catch (error) {
        return smtpFailure(error);
      } finally {
        clearTimeout(timer);
      }
    },
    close() {
      transport.close();
      return Promise.resolve();
    },
  };
}

/** Before there was a session: of a socket, of a name, of TLS, of a login. */
const withoutSession = ['EAUTH', 'EDNS', 'ETLS'];
const unreachable = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'];
/** The server closes (RFC 5321 §3.8), or a login is missing or rejected (RFC 4954 §6). */
const endsSession = [421, 530, 534, 535, 538];

/**
 * Codes of 500 and above reject this message permanently (RFC 5321 §4.2.1), unless they belong to a
 * greeting, to a login or to the session.
 */
export function smtpFailure(error: unknown): Exclude<SendResult, { kind: 'sent' }> {
  if (error instanceof EgressError) return egressFailure(error.failure);
  const seen = (key: string): unknown =>
    typeof error === 'object' && error !== null ? Reflect.get(error, key) : undefined;
  const [reply, name, cause] = [seen('responseCode'), String(seen('code')), seen('originalCode')];
  // After the timeout it is unknown whether the server will accept the message.
  if (name === 'EABORT') return egressFailure('timeout');
  if (exchangeFailure({ code: cause }).failure === 'tls_error') return egressFailure('tls_error');
  const isGreeting = name === 'EPROTOCOL' && seen('command') === 'CONN';
  const isSure = isGreeting || withoutSession.includes(name) || unreachable.includes(String(cause));
  if (typeof reply === 'number') {
    const code = `smtp_${String(reply)}`;
    if (isSure || endsSession.includes(reply)) {
      return { kind: 'later', code, outage: { isSure: true } };
    }
    return { kind: reply >= 500 ? 'refused' : 'later', code };
  }
  const code = name.startsWith('E') ? `smtp_${name.toLowerCase()}` : 'smtp_error';
  return { kind: 'later', code, outage: { isSure }, isUnknown: !isSure };
}
