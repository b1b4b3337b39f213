import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import MailComposer from 'nodemailer/lib/mail-composer';
import { composeMime, mailOptions } from '../../src/messaging/providers/mime-message.ts';

const mail = {
  messageId: 'id@bank.example',
  from: { name: 'Bank', address: 'hello@bank.example' },
  to: { name: '', address: 'ada@example.com' },
  replyTo: undefined,
  subject: 'Hello',
  html: '<p>Hello</p>',
  text: 'Hello',
  headers: { 'List-Unsubscribe': '<https://onward.test/unsubscribe/token>' },
};

/** Headers by name, and what follows them. */
function read(source: string) {
  const [head = '', ...rest] = source.split('\r\n\r\n');
  const lines = head.replaceAll(/\r\n[ \t]/g, ' ').split('\r\n');
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  return { headers, body: rest.join('\r\n\r\n') };
}

function parts(source: string) {
  const { headers, body } = read(source);
  const boundary = /boundary="(.+)"/.exec(headers.get('Content-Type') ?? '')?.[1] ?? '';
  const [, ...inner] = `\r\n${body}`.split(`\r\n--${boundary}`);
  expect(inner.pop()).toBe('--\r\n');
  return inner.map((part) => read(part.slice(2)));
}

function decoded({ headers, body }: ReturnType<typeof read>): string {
  switch (headers.get('Content-Transfer-Encoding')) {
    case 'base64':
      return Buffer.from(body, 'base64').toString();
    case 'quoted-printable':
      return decodeURIComponent(
        body.replaceAll('=\r\n', '').replaceAll('%', '%25').replaceAll('=', '%'),
      );
    default:
      return body;
  }
}

test('a mail has a text and an HTML part, its sender and its recipient', () => {
  const source = composeMime(mail);
  const { headers } = read(source);
  expect(Object.fromEntries(headers)).toMatchObject({
    From: 'Bank <hello@bank.example>',
    To: 'ada@example.com',
    Subject: 'Hello',
    'Message-ID': '<id@bank.example>',
    'List-Unsubscribe': '<https://onward.test/unsubscribe/token>',
    'MIME-Version': '1.0',
  });
  expect(Date.parse(headers.get('Date') ?? '')).toBeGreaterThan(Date.now() - 60_000);
  expect(headers.has('Reply-To')).toBe(false);
  expect(parts(source).map((part) => [part.headers.get('Content-Type'), part.body])).toEqual([
    ['text/plain; charset=utf-8', 'Hello'],
    ['text/html; charset=utf-8', '<p>Hello</p>'],
  ]);
});

test.each([
  ['7bit', 'short lines\r\nof ASCII'],
  ['quoted-printable', `a long line = ${'of words '.repeat(40)}\r\nand another`],
  ['quoted-printable', 'größtenteils lateinisch'],
  ['base64', '最初の手紙'.repeat(40)],
])('a text arrives as it was written (%s)', (encoding, text) => {
  const source = composeMime({ ...mail, text, html: `<p>${text}</p>` });
  const [plain, html] = parts(source);
  if (!plain || !html) throw new Error('a part is missing');
  expect(plain.headers.get('Content-Transfer-Encoding')).toBe(encoding);
  expect([decoded(plain), decoded(html)]).toEqual([text, `<p>${text}</p>`]);
  expect(Math.max(...source.split('\r\n').map(({ length }) => length))).toBeLessThanOrEqual(76);
});

test('a mail without a text is its HTML alone', () => {
  const { headers, body } = read(composeMime({ ...mail, text: '' }));
  expect(headers.get('Content-Type')).toBe('text/html; charset=utf-8');
  expect(body.trimEnd()).toBe('<p>Hello</p>');
});

test('names, subjects and domains beyond ASCII are encoded, and no line break begins a header', () => {
  const { headers } = read(
    composeMime({
      ...mail,
      from: { name: 'Bücher, GmbH', address: 'hallo@bücher.example' },
      replyTo: 'reply@bank.example',
      subject: 'Grüße\r\nBcc: eve@example.com',
    }),
  );
  expect(headers.get('From')).toMatch(/^=\?UTF-8\?.+\?= <hallo@xn--bcher-kva\.example>$/);
  expect(headers.get('Reply-To')).toBe('reply@bank.example');
  expect(headers.get('Subject')).toMatch(/^=\?UTF-8\?Q\?.+\?=$/);
  expect(headers.has('Bcc')).toBe(false);
});

/** A message without what differs each time, its texts decoded. */
function contents(source: string) {
  const boundary = /boundary="(.+)"/.exec(source)?.[1];
  const whole = boundary === undefined ? source : source.replaceAll(boundary, 'boundary');
  const nodes = boundary === undefined ? [read(whole)] : [read(whole), ...parts(whole)];
  return nodes.map((node) => {
    node.headers.delete('Date');
    const isText = node.headers.get('Content-Type')?.startsWith('text/');
    return { headers: Object.fromEntries(node.headers), text: isText && decoded(node).trimEnd() };
  });
}

const pieces = [
  ...['word ', 'Grüße ', '最初の手紙', '😀', '\u2028', '=', '=3D', '.', '-', '-'.repeat(80), '\0'],
  ...['\r\n', '\n', '\r', '\r\n.\r\n', '\r\n--', ' \r\n', '\t', 'x'.repeat(1_000)],
];
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc.array(fc.constantFrom(...pieces), { maxLength: 100 }).map((some) => some.join('')),
);
const anyName = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 100 }),
  fc
    .array(fc.constantFrom(...pieces.filter(({ length }) => length < 10)), { maxLength: 20 })
    .map((some) => some.join('')),
);

test('a message is read as the message that the library itself would send', async () => {
  const anyMail = fc.record({
    name: anyName,
    subject: anyName,
    html: anyText,
    text: anyText,
    address: fc.constantFrom('ada@example.com', 'hallo@bücher.example', '"a b"@example.com'),
  });
  await fc.assert(
    fc.asyncProperty(anyMail, async ({ name, subject, html, text, address }) => {
      const some = { ...mail, from: { name, address }, subject, html, text };
      const source = composeMime(some);
      const own = await new MailComposer(mailOptions(some)).compile().build();
      expect(contents(source)).toEqual(contents(own.toString()));
      // RFC 5322; lone line breaks become whole ones on their way.
      const widest = Math.max(...source.split(/\r\n|\r|\n/).map(({ length }) => length));
      expect(widest).toBeLessThanOrEqual(998);
    }),
    { numRuns: 500 },
  );
});
