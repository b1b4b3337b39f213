import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerOptions } from 'smtp-server';
import type { OutgoingMessage } from '../../src/messaging/providers/sender.ts';
import { createTeamSender } from '../../src/messaging/providers/team-senders.ts';
import type { TeamProvider } from '../../src/messaging/providers/team-provider.ts';
import { createEgress } from '../../src/platform/egress/client.ts';
import type { EgressOptions } from '../../src/platform/egress/client.ts';
import { developmentRules, productionRules } from '../platform/egress/rules.ts';
import { newAuthority } from '../support/authority.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()));
});

const authority = newAuthority('Authority of the test');
const { certificate: cert, key } = authority.issue('mail.example.com');
const message: OutgoingMessage = {
  ...{ teamId: randomUUID(), id: randomUUID(), correlation: { do_message_id: 'm' } },
  content: {
    ...{ channel: 'email', to: 'ada@example.com', from: { address: 'hello@bank.example' } },
    ...{ subject: 'Your card', html: '<p>Hello</p>', text: 'Hello' },
  },
};

/** The way out of a team to a port of this machine, by a name or address. */
function senderTo(
  port: number,
  { scheme = 'smtp', host = 'mail.example.com', ...changes }: Record<string, string> = {},
  { previous, ...options }: Partial<EgressOptions> & { previous?: string } = {},
) {
  const egress = createEgress({
    rules: developmentRules,
    ca: authority.certificate,
    lookup: () => Promise.resolve(['127.0.0.1']),
    ...options,
  });
  const provider: TeamProvider = {
    ...{ team_id: message.teamId, id: randomUUID(), channel: 'email', kind: 'smtp' },
    ...{ url: `${scheme}://${host}:${String(port)}`, account: 'bank', family: 'email_b' },
    ...{ senders: ['hello@bank.example'], ...changes },
  };
  const sender = createTeamSender(
    provider,
    { current: 'secret', previous },
    { egress, connections: 2 },
  );
  ends.push(
    () => sender.close(),
    () => egress.close(),
  );
  return sender;
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A mail server that accepts one password, with what it received. */
async function startMail(options: SMTPServerOptions = {}, password = 'secret') {
  const received: string[] = [];
  const logins: string[] = [];
  const server = new SMTPServer({
    ...{ cert, key, logger: false },
    onAuth({ username, password: given }, _session, done) {
      logins.push(given ?? '');
      if (given === password) done(null, { user: username });
      else done(Object.assign(new Error('no'), { responseCode: 535 }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        received.push(`secure: ${String(session.secure)}\n${Buffer.concat(chunks).toString()}`);
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  ends.push(() => new Promise<void>((resolve) => server.close(resolve)));
  return { port: await listen(server.server), received, logins };
}

/** A server that writes these texts, each after a line of the client; the last one endlessly. */
async function startHostile(replies: readonly string[], endless: string) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    const rest = [...replies];
    const flood = () => {
      while (!socket.destroyed && endless !== '' && socket.write(endless.repeat(1_000)));
    };
    const next = () => {
      const reply = rest.shift();
      if (reply !== undefined) socket.write(reply);
      if (rest.length > 0) return;
      socket.on('drain', flood);
      flood();
    };
    socket.on('data', next);
    next();
  });
  ends.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return { port: await listen(server), sockets };
}

/** Resets included, which are the end of most. */
async function allClosed(sockets: readonly Socket[]): Promise<void> {
  const closings = sockets.map(async (socket) => {
    if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  });
  await Promise.all(closings);
}

test('a message arrives by STARTTLS and login, with our ids in the form of the provider', async () => {
  const { port, received } = await startMail();
  const sender = senderTo(port);
  expect(await sender.check(5_000)).toEqual({ isOk: true });
  const providerMessageId = `${message.id}@bank.example`;
  expect(await sender.send(message, 5_000)).toEqual({
    ...{ kind: 'sent', providerMessageId, recipient: 'ada@example.com' },
  });
  expect(received).toHaveLength(1);
  expect(received[0]).toMatch(/^secure: true\n/);
  expect(received[0]).toContain('X-SMTPAPI: {"unique_args":{"do_message_id":"m"}}');
});

test('a message arrives at a server that starts with TLS', async () => {
  const { port, received } = await startMail({ secure: true });
  expect(await senderTo(port, { scheme: 'smtps' }).send(message, 5_000)).toMatchObject({
    kind: 'sent',
  });
  expect(received).toHaveLength(1);
});

test('a rejected login is an outage, and fails the check', async () => {
  const { port, received } = await startMail({}, 'another');
  const sender = senderTo(port);
  expect(await sender.check(5_000)).toEqual({ isOk: false, code: 'smtp_535' });
  expect(await sender.send(message, 5_000)).toMatchObject({
    ...{ kind: 'later', code: 'smtp_535', outage: { isSure: true } },
  });
  expect(received).toEqual([]);
});

test('the previous password is used while the current one is rejected', async () => {
  const { port, logins } = await startMail({}, 'previous');
  const sender = senderTo(port, {}, { previous: 'previous' });
  expect(await sender.send(message, 5_000)).toMatchObject({ kind: 'sent' });
  expect(await sender.send(message, 5_000)).toMatchObject({ kind: 'sent' });
  expect(logins).toEqual(['secret', 'previous']);
});

test('a server that requires a login does not reject the message for good', async () => {
  const { port } = await startMail();
  const sender = senderTo(port, { account: null as unknown as string });
  expect(await sender.send(message, 5_000)).toMatchObject({ kind: 'later', code: 'smtp_530' });
});

test.each([
  ['offers no STARTTLS', { hideSTARTTLS: true, disabledCommands: ['STARTTLS'] }],
  ['has the certificate of another name', authority.issue('other.example.com')],
  ['has a certificate of an unknown authority', newAuthority('unknown').issue('mail.example.com')],
])('a server that %s gets neither password nor message', async (_fault, options) => {
  const { certificate, ...rest } = { certificate: cert, ...options };
  const { port, received, logins } = await startMail({ cert: certificate, ...rest });
  const sender = senderTo(port);
  expect(await sender.check(5_000)).toMatchObject({ isOk: false });
  expect(await sender.send(message, 5_000)).toMatchObject({
    ...{ kind: 'later', outage: { isSure: true } },
  });
  expect([logins, received]).toEqual([[], []]);
});

test('a server on this machine needs no TLS in development', async () => {
  const { port, received } = await startMail({ hideSTARTTLS: true, allowInsecureAuth: true });
  expect(await senderTo(port, { host: '127.0.0.1' }).send(message, 5_000)).toMatchObject({
    kind: 'sent',
  });
  expect(received[0]).toMatch(/^secure: false\n/);
});

test.each([
  ['a line without end', ['220 a\r\n'], '250-x'],
  ['an endless list of extensions', ['220 a\r\n'], '250-x\r\n'],
  ['empty lines', ['220 a\r\n'], '\n'],
  ['empty lines before its greeting', [], '\r\n'],
])('a server that sends %s is closed after little', async (_fault, replies, endless) => {
  const { port, sockets } = await startHostile(replies, endless);
  const sender = senderTo(port, { host: '127.0.0.1' });
  expect(await sender.send(message, 20_000)).toMatchObject({ kind: 'later' });
  expect(await sender.check(20_000)).toMatchObject({ isOk: false });
  await allClosed(sockets);
  // The buffers of both systems included.
  for (const { bytesWritten } of sockets) expect(bytesWritten).toBeLessThan(20_000_000);
});

test('a silent server occupies no connection after the time limit', async () => {
  const { port, sockets } = await startHostile(['220 a\r\n'], '');
  const sender = senderTo(port, { host: '127.0.0.1' });
  const results = await Promise.all([1, 2, 3, 4].map(() => sender.send(message, 300)));
  for (const result of results) expect(result).toMatchObject({ kind: 'later', code: 'timeout' });
  expect(await sender.check(300)).toEqual({ isOk: false, code: 'timeout' });
  await allClosed(sockets);
});

test.each([
  ['an inside address', 587, { host: '127.0.0.1' }],
  ['a name of an inside address', 587, {}],
  ['a port of another service', 22, {}],
  ['a high port', 8_443, {}],
])('%s is not called in production', async (_target, port, changes) => {
  const sender = senderTo(port, changes, {
    rules: productionRules,
    lookup: () => Promise.resolve([port === 587 ? '10.0.0.1' : '192.0.43.8']),
  });
  const code = 'target_not_allowed';
  expect(await sender.check(1_000)).toEqual({ isOk: false, code });
  expect(await sender.send(message, 1_000)).toMatchObject({
    ...{ kind: 'later', code, outage: { isSure: true } },
  });
});

test('options in the address of a server have no effect', async () => {
  const { port, received } = await startMail({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
  });
  const sender = senderTo(port, { url: `smtp://mail.example.com:${String(port)}/?ignoreTLS=true` });
  expect(await sender.send(message, 5_000)).toMatchObject({ kind: 'later' });
  expect(received).toEqual([]);
});
