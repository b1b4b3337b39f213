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
function mailOptions(mail: Mail): SendMailOptions {
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

/** A message as it travels (RFC 5322). */
export async function composeMime(mail: Mail): Promise<string> {
  const source = await new MailComposer(mailOptions(mail)).compile().build();
  return source.toString();
}
