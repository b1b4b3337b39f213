import { once } from 'node:events';
import { afterEach, expect, test } from '@jest/globals';
import { SMTPServer } from 'smtp-server';
import { readConfig } from '../../src/platform/config.ts';
import type { OutgoingMessage } from '../../src/messaging/providers/sender.ts';
import { createSmtpSender } from '../../src/messaging/providers/smtp.ts';

const message: OutgoingMessage = {
  teamId: '5c1a3a4e-6f1a-4a55-9f59-0d7c3d3f0a11',
  id: 'b5a2c1de-7a53-4b36-8f5b-3a1c2f6f9d22',
  correlation: {},
  content: {
    ...{ channel: 'email', to: 'ada@example.com', from: { address: 'bank@example.com' } },
    ...{ subject: 'Your code', html: '<p>123456</p>', text: '123456' },
  },
};
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()));
});

/** The data that a mail server with these commands receives, and the result for the sender. */
async function sendTo(disabledCommands: string[]) {
  const received: string[] = [];
  const server = new SMTPServer({
    ...{ disabledCommands, logger: false, authOptional: true },
    onMailFrom(address, _session, done) {
      received.push(address.address);
      done();
    },
    onData(stream, _session, done) {
      stream.on('data', (chunk: Buffer) => received.push(chunk.toString()));
      stream.on('end', () => {
        done();
      });
    },
  });
  server.on('error', () => undefined);
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const url = `smtp://127.0.0.1:${String(port)}`;
  const sender = createSmtpSender({ url, requiresTls: true, connections: 1, family: undefined });
  ends.push(
    () => sender.close(),
    () => new Promise<void>((resolve) => server.close(resolve)),
  );
  return { result: await sender.send(message, 10_000), received };
}

test('an attacker who removes STARTTLS from the answer of a mail server reads no message', async () => {
  const { result, received } = await sendTo(['AUTH', 'STARTTLS']);
  expect(received).toEqual([]);
  expect(result).toMatchObject({ kind: 'later', outage: { isSure: true } });
});

test('an attacker with another certificate reads no message', async () => {
  const { result, received } = await sendTo(['AUTH']);
  expect(received).toEqual([]);
  expect(result).toMatchObject({ kind: 'later' });
});

const smtpOf = (development: boolean, settings: Record<string, string>) =>
  readConfig(
    { development },
    {
      DATABASE_URL: 'postgres://app:a-password-of-the-test@127.0.0.1/onward',
      PUBLIC_BASE_URL: 'https://onward.example.com',
      TRUSTED_PROXIES: '1',
      ONWARD_KEYS: '{}',
      ...settings,
    },
  ).sending.smtp?.requiresTls;

test('production requires TLS for a remote mail server unless the operator declares the link private', () => {
  const SMTP_URL = 'smtp://mail.example.com:587';
  expect(smtpOf(false, { SMTP_URL })).toBe(true);
  expect(smtpOf(false, { SMTP_URL, SMTP_PRIVATE_LINK: 'true' })).toBe(false);
  expect(smtpOf(false, { SMTP_URL: 'smtp://127.0.0.1:25' })).toBe(false);
  expect(smtpOf(true, { SMTP_URL })).toBe(false);
});
