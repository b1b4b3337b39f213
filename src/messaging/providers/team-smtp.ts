import type { Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { createTransport } from 'nodemailer';
import type { SMTPPoolOptions } from 'nodemailer/lib/smtp-pool';
import { isLoopbackHost } from '../../platform/config/hosts.ts';
import type { Egress } from '../../platform/egress/client.ts';
import type { CheckedSender, ProviderCheck } from './sender.ts';
import { connectionLimits, createPool, smtpFailure } from './smtp.ts';
import type { TeamProvider } from './team-provider.ts';

/** Shorter than of the installation's server: there are many teams. */
const idleTimeout = 30_000;

/**
 * E-mail by the SMTP server of a team. Egress checks the host and its addresses. TLS is required
 * except on this machine, which egress calls in development only.
 */
export function createTeamSmtpSender(
  { url, account, family }: Pick<TeamProvider, 'url' | 'account' | 'family'>,
  password: string,
  { egress, connections }: { egress: Egress; connections: number },
): CheckedSender {
  const { protocol, hostname, port } = new URL(url);
  const secure = protocol === 'smtps:';
  const server = {
    // The library would take options from the whole URL, too.
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (secure ? 465 : 587),
    secure,
    requireTLS: !secure && !isLoopbackHost(hostname),
    tls: { secureContext: egress.secureContext() },
    ...(account !== null && { auth: { user: account, pass: password }, forceAuth: true }),
  };
  const connect = () =>
    egress.connect({ host: hostname, port: server.port, secure: false, purpose: 'mail' });
  const sender = createPool(
    { connections, family: family ?? undefined },
    { ...server, idleTimeout, getSocket: socketBy(connect) },
  );
  return { ...sender, check: (timeoutMs) => check(server, connect, timeoutMs) };
}

/** The library starts TLS itself, since the protocol may require it later. */
function socketBy(connect: () => Promise<Socket>): NonNullable<SMTPPoolOptions['getSocket']> {
  return (_options, done) => {
    connect().then(
      (connection) => done(null, { connection }),
      (error: unknown) => done(error instanceof Error ? error : new Error('no connection')),
    );
  };
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Connects, starts TLS and logs in, within the time limit. */
async function check(
  server: SMTPPoolOptions,
  connect: () => Promise<Socket>,
  timeoutMs: number,
): Promise<ProviderCheck> {
  const tooSlow = new AbortController();
  const timer = setTimeout(() => tooSlow.abort(), timeoutMs);
  const getSocket = socketBy(async () => {
    const socket = await connect();
    addAbortSignal(tooSlow.signal, socket);
    return socket;
  });
  const transport = createTransport({ ...connectionLimits, ...server, getSocket });
  try {
    const isVerified = await Promise.race([transport.verify(), aborted(tooSlow.signal)]);
    return isVerified === true ? { isOk: true } : { isOk: false, code: 'timeout' };
  } catch (error) {
    return { isOk: false, code: tooSlow.signal.aborted ? 'timeout' : smtpFailure(error).code };
  } finally {
    clearTimeout(timer);
    // The answer to QUIT is not waited for.
    tooSlow.abort();
  }
}
