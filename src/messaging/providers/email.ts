import { randomUUID } from 'node:crypto';
import aws4 from 'aws4';
import type { ProviderConfig } from '../../platform/config.ts';
import type { Egress } from '../../platform/egress/client.ts';
import { basicLogin, createCheck, createHttpSender, textIn } from './http.ts';
import { composeMime } from './mime-message.ts';
import { outgoingMail, unsubscribeHeaders } from './outgoing-mail.ts';
import type { CheckedSender } from './sender.ts';

/** The Amazon SES family: the whole message, and signed requests (AWS Signature Version 4). */
export function createEmailASender(
  egress: Egress,
  { url, account, key }: ProviderConfig,
  owner: string,
): CheckedSender {
  const { host, pathname } = new URL(url);
  const [, region = 'us-east-1'] = /(?:^|\.)email(?:-fips)?\.([a-z0-9-]+)\./.exec(host) ?? [];
  const signed = (method: 'GET' | 'POST', operation: string, body = '') => {
    const path = `${pathname.replace(/\/$/, '')}/v2/email/${operation}`;
    const { headers } = aws4.sign(
      {
        ...{ host, method, path, body, region, service: 'ses' },
        headers: { 'Content-Type': 'application/json' },
      },
      { accessKeyId: account, secretAccessKey: key },
    );
    const texts: Record<string, string> = {};
    for (const [name, value] of Object.entries(headers ?? {})) texts[name] = String(value);
    return { url: `${url}/v2/email/${operation}`, headers: texts, body };
  };
  const sender = createHttpSender(egress, {
    provider: 'email_a',
    owner,
    async callsOf(message) {
      const { content, correlation } = message;
      if (content.channel !== 'email') return [];
      const mime = composeMime(outgoingMail(message, content));
      const body = JSON.stringify({
        Destination: { ToAddresses: [content.to] },
        Content: { Raw: { Data: Buffer.from(mime).toString('base64') } },
        EmailTags: Object.entries(correlation).map(([Name, Value]) => ({ Name, Value })),
      });
      return [
        {
          ...signed('POST', 'outbound-emails', body),
          recipient: content.to,
          idIn: (json) => textIn(json, 'MessageId'),
        },
      ];
    },
  });
  return { ...sender, check: createCheck(egress, owner, () => signed('GET', 'account')) };
}

/** The SendGrid family: the parts of the message as JSON, and our ids in custom arguments. */
export function createEmailBSender(
  egress: Egress,
  { url, key }: ProviderConfig,
  owner: string,
): CheckedSender {
  const Authorization = `Bearer ${key}`;
  const sender = createHttpSender(egress, {
    provider: 'email_b',
    owner,
    callsOf({ id, content, correlation }) {
      if (content.channel !== 'email') return [];
      const { to, from, replyTo, subject, html, text } = content;
      const headers = unsubscribeHeaders(content);
      return [
        {
          url: `${url}/v3/mail/send`,
          headers: { Authorization, 'Content-Type': 'application/json' },
          body: JSON.stringify({
            personalizations: [{ to: [{ email: to }], custom_args: correlation }],
            from: { email: from.address, ...(from.name && { name: from.name }) },
            ...(replyTo !== undefined && { reply_to: { email: replyTo } }),
            subject,
            content: [
              ...(text === '' ? [] : [{ type: 'text/plain', value: text }]),
              { type: 'text/html', value: html },
            ],
            ...(Object.keys(headers).length > 0 && { headers }),
          }),
          recipient: to,
          // It was accepted, even if a proxy removes the header.
          idIn: (_json, received) => textIn(received, 'x-message-id') ?? id,
        },
      ];
    },
  });
  const request = { url: `${url}/v3/scopes`, headers: { Authorization } };
  return { ...sender, check: createCheck(egress, owner, () => request) };
}

/** The Mailgun family: the whole message as a file of a form, and our ids in variables. */
export function createEmailCSender(
  egress: Egress,
  { url, account, key }: ProviderConfig,
  owner: string,
): CheckedSender {
  const domain = encodeURIComponent(account);
  const Authorization = basicLogin('api', key);
  const sender = createHttpSender(egress, {
    provider: 'email_c',
    owner,
    async callsOf(message) {
      const { content, correlation } = message;
      if (content.channel !== 'email') return [];
      const boundary = randomUUID();
      const part = (name: string, value: string, more = '') =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
      const mime = composeMime(outgoingMail(message, content));
      return [
        {
          url: `${url}/v3/${domain}/messages.mime`,
          headers: { Authorization, 'Content-Type': `multipart/form-data; boundary=${boundary}` },
          body: [
            part('to', content.to),
            ...Object.entries(correlation).map(([name, id]) => part(`v:${name}`, id)),
            part('message', mime, '; filename="message.eml"'),
            `--${boundary}--\r\n`,
          ].join(''),
          recipient: content.to,
          // As callbacks write it: without the brackets.
          idIn: (json) => textIn(json, 'id')?.replace(/^<|>$/g, ''),
        },
      ];
    },
  });
  const request = { url: `${url}/v4/domains/${domain}`, headers: { Authorization } };
  return { ...sender, check: createCheck(egress, owner, () => request) };
}
