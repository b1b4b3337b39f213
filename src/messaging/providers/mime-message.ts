import { randomUUID } from 'node:crypto';
import { encode as base64, wrap as wrapBase64 } from 'nodemailer/lib/base64';
import { foldLines, hasLongerLines, isPlainText } from 'nodemailer/lib/mime-funcs';
import MimeNode from 'nodemailer/lib/mime-node';
import { encode as quotedPrintable, wrap as wrapQuoted } from 'nodemailer/lib/qp';

export interface Mailbox {
  name: string;
  address: string;
}

export interface Mail {
  messageId: string;
  from: Mailbox;
  to: Mailbox;
  replyTo: string | undefined;
  subject: string;
  html: string;
  text: string;
  /** Headers made by programs: ASCII without a line break, written unchanged. */
  headers: Readonly<Record<string, string>>;
}

/** Encodes names and subjects; it contains nothing of a message. */
const encoder = new MimeNode();

/**
 * A message as it travels (RFC 5322), in one piece: the library composes a tree and streams it on
 * header by header and part by part, of which each is a write that wakes the server.
 */
export function composeMime(mail: Mail): string {
  const { messageId, from, to, replyTo, subject, html, text, headers } = mail;
  const boundary = `--_${randomUUID()}`;
  const lines = [
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    header('From', from),
    header('To', to),
    ...(replyTo === undefined ? [] : [header('Reply-To', replyTo)]),
    ...(subject === '' ? [] : [header('Subject', subject)]),
    header('Message-ID', messageId),
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    'MIME-Version: 1.0',
  ];
  const body = part('html', html);
  if (text === '') return [...lines, body].join('\r\n');
  return [
    ...lines,
    `Content-Type: multipart/alternative;\r\n boundary="${boundary}"`,
    '',
    `--${boundary}`,
    part('plain', text),
    `--${boundary}`,
    body,
    `--${boundary}--\r\n`,
  ].join('\r\n');
}

const header = (name: string, value: string | Mailbox) =>
  foldLines(`${name}: ${encoder.encodeHeaderValue(name, value)}`);

/** A part with its headers. Mostly Latin text stays legible in its encoding. */
function part(kind: 'plain' | 'html', text: string): string {
  const isPlain = isPlainText(text) && !hasLongerLines(text, 76);
  const isLegible = Buffer.byteLength(text) < text.length * 1.3;
  const encoding = isPlain ? '7bit' : isLegible ? 'quoted-printable' : 'base64';
  return [
    `Content-Type: text/${kind}; charset=utf-8`,
    `Content-Transfer-Encoding: ${encoding}`,
    '',
    encoded(text, encoding),
  ].join('\r\n');
}

function encoded(text: string, encoding: '7bit' | 'quoted-printable' | 'base64'): string {
  switch (encoding) {
    case '7bit':
      return text;
    case 'quoted-printable':
      return wrapQuoted(quotedPrintable(text));
    case 'base64':
      return wrapBase64(base64(text));
    default:
      return encoding satisfies never;
  }
}
