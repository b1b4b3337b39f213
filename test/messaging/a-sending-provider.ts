import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { TestTeam } from '../support/api.ts';

export const providersPath = '/v2/partner/sending-providers';

/** A word in every secret below, which nothing but the sealed columns may contain. */
export const canary = 'magnolia';

let pem: string | undefined;

/** The JSON of a service account's key. */
export function aServiceAccount(fields: object = {}): string {
  pem ??= generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey;
  return JSON.stringify({
    client_email: 'sender@bank.example',
    private_key_id: canary,
    private_key: pem,
    project_id: 'a-bank',
    token_uri: 'https://oauth2.example.com/token',
    ...fields,
  });
}

/** Bodies of a provider of each kind. */
export const bodies = {
  smtp: () => ({
    ...{ name: 'Relay', channel: 'email', kind: 'smtp', url: 'smtp://Mail.Example.com:587' },
    ...{ account: 'onward', senders: ['hello@bank.example'], secret: `${canary} smtp` },
  }),
  email_a: () => ({
    ...{ name: 'Mail A', channel: 'email', kind: 'email_a', url: 'https://mail-a.example.com/' },
    ...{ account: 'AKIA0123456789', senders: ['hello@bank.example'], secret: `${canary}-a` },
  }),
  email_b: () => ({
    ...{ name: 'Mail B', channel: 'email', kind: 'email_b', url: 'https://mail-b.example.com' },
    ...{ senders: ['hello@bank.example'], secret: `${canary}-b` },
  }),
  email_c: () => ({
    ...{ name: 'Mail C', channel: 'email', kind: 'email_c', url: 'https://mail-c.example.com' },
    ...{ account: 'mail.bank.example', senders: ['hello@bank.example'], secret: `${canary}-c` },
  }),
  sms_a: () => ({
    ...{ name: 'Texts A', channel: 'sms', kind: 'sms_a', url: 'https://sms-a.example.com/api' },
    ...{ account: 'AC01', senders: ['+14155550123', 'The Bank'], secret: `${canary}-sms` },
  }),
  sms_b: () => ({
    ...{ name: 'Texts B', channel: 'sms', kind: 'sms_b', url: 'https://sms-b.example.com' },
    ...{ senders: ['+14155550124'], secret: `${canary}-sms-b` },
  }),
  push_a: () => ({
    ...{ name: 'Push A', channel: 'push', kind: 'push_a', url: 'https://push-a.example.com' },
    secret: aServiceAccount(),
  }),
  push_b: () => ({
    ...{ name: 'Push B', channel: 'push', kind: 'push_b', url: 'https://push-b.example.com' },
    ...{ account: 'app-1', secret: `${canary}-push` },
  }),
};

export async function newProvider(
  team: Pick<TestTeam, 'post'>,
  body: object,
): Promise<{ id: string; path: string }> {
  const reply = await team.post(providersPath, body);
  if (reply.status !== 201) throw new Error(JSON.stringify(reply.body));
  const id = String(reply.body.id);
  return { id, path: `${providersPath}/${id}` };
}

/** A mail server on loopback that accepts one login. */
export async function startLoginServer(user: string, password: string) {
  const logins: string[] = [];
  const server = new SMTPServer({
    ...{ disabledCommands: ['STARTTLS'], allowInsecureAuth: true, logger: false },
    onAuth({ username, password: given }, _session, done) {
      logins.push(given ?? '');
      if (username === user && given === password) done(null, { user });
      else done(new Error('Invalid login'));
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${String(port)}`,
    logins,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(resolve);
      }),
  };
}

/** An HTTP interface on loopback; `answer` says what each request gets. */
export async function startInterface(
  answer: (request: { path: string; authorization: string }) => Promise<number> | number,
) {
  const server = createServer((request, response) => {
    const { url: path = '', headers } = request;
    request.resume();
    void Promise.resolve(answer({ path, authorization: headers.authorization ?? '' })).then(
      (status) => {
        response.writeHead(status, { 'Content-Type': 'application/json' }).end('{}');
      },
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
