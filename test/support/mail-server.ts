import type { Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerSession } from 'smtp-server';

export interface ReceivedMail {
  recipient: string;
  /** The message as it came, with its headers. */
  source: string;
  messageId: string;
  atMs: number;
}

export interface MailServer {
  url: string;
  received: ReceivedMail[];
  /** Sets the status for the next recipients; undefined accepts them. */
  refuse(how: (recipient: string) => number | undefined): void;
  /** Sets the time until a message is accepted, in ms. */
  slowBy(ms: number): void;
  /** Runs before the sender receives the acceptance of a message. */
  beforeAnswering(act: (mail: ReceivedMail) => Promise<void>): void;
  stop(): Promise<void>;
}

class Refusal extends Error {
  readonly responseCode: number;
  constructor(code: number) {
    super('refused');
    this.responseCode = code;
  }
}

/**
 * A message in quoted-printable with its links as a mail program reads them: any character may be
 * encoded, also a hyphen. Characters beyond ASCII stay encoded.
 */
export const decodedLinks = (source: string): string =>
  source
    .replaceAll('=\r\n', '')
    .replaceAll(/=([2-7][\dA-F])/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));

/** A real mail server on loopback that keeps what it took. */
export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  let refusal: (recipient: string) => number | undefined = () => undefined;
  let delayMs = 0;
  let act: (mail: ReceivedMail) => Promise<void> = () => Promise.resolve();
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onRcptTo(address, _session, done) {
      const code = refusal(address.address);
      done(code === undefined ? undefined : new Refusal(code));
    },
    onData(stream, session: SMTPServerSession, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const source = Buffer.concat(chunks).toString();
        const messageId = /^message-id: <(.+)>\r?$/im.exec(source)?.[1] ?? '';
        const recipient = session.envelope.rcptTo[0]?.address ?? '';
        setTimeout(() => {
          const mail = { recipient, source, messageId, atMs: Date.now() };
          received.push(mail);
          act(mail).then(
            () => done(),
            (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
          );
        }, delayMs);
      });
    },
  });
  server.on('error', () => undefined);
  // Responses to pipelined commands leave together, as RFC 2920 §3.2 requires of servers.
  server.server.on('connection', (socket: Socket) => {
    socket.prependListener('data', () => {
      socket.cork();
      setImmediate(() => {
        socket.uncork();
      });
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `smtp://127.0.0.1:${String(port)}`,
    received,
    refuse(how) {
      refusal = how;
    },
    slowBy(ms) {
      delayMs = ms;
    },
    beforeAnswering(how) {
      act = how;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      }),
  };
}
