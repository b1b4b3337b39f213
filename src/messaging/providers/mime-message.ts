import { encode, wrap } from 'libqp';
import type { SendMailOptions } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer';

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

/** A message in the form of the library, which encodes and folds all but the headers of programs. */
export function mailOptions(mail: Mail): SendMailOptions {
  const { messageId, from, to, replyTo, subject, html, text, headers } = mail;
  return {
    messageId,
    from,
    to,
    ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
    ...(subject !== '' && { subject }),
    html,
    ...(text !== '' && { text }),
    headers: Object.entries(headers).map(([key, value]) => ({
      key,
      value: { prepared: true, foldLines: false, value },
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/**
 * A message as it travels (RFC 5322): the bytes that `build` of the library gives, which takes a
 * stream for each part and several times the computing.
 */
export function composeMime(mail: Mail): string {
  const source = write(new MailComposer(mailOptions(mail)).compile());
  return source.endsWith('\n') ? source : `${source}\r\n`;
}

type MimeNode = ReturnType<MailComposer['compile']>;

function write(node: MimeNode): string {
  const head = `${node.buildHeaders()}\r\n\r\n`;
  const { multipart, boundary, childNodes, content } = node;
  if (!multipart) {
    const text = typeof content === 'string' ? content : '';
    return `${head}${encoded(text, node.getTransferEncoding())}`;
  }
  const mark = `--${String(boundary)}`;
  const parts = childNodes.map((child) => `${mark}\r\n${write(child)}`);
  return `${head}${parts.join('\r\n')}\r\n${mark}--\r\n`;
}

/** A text in the encoding that the library has chosen for it. */
function encoded(text: string, encoding: string | false): string {
  switch (encoding) {
    case 'quoted-printable':
      return wrap(encode(text));
    case 'base64':
      return Buffer.from(text)
        .toString('base64')
        .replaceAll(/.{76}(?=.)/g, '$&\r\n');
    default:
      return text;
  }
}
