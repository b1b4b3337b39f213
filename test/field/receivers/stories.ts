import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { untilTrue } from '../../support/eventually.ts';
import { takePorts } from '../../support/ports.ts';
import { buildGo, versionIf, versionOf } from '../programs.ts';
import { call, listed } from '../service.ts';
import type { FieldService, Story } from '../story.ts';

// HTTP servers of standard libraries that receive webhooks.

const sources = resolve('test/field/receivers/programs');
const subscriptions = '/v2/partner/webhook-subscriptions';

/** The code and the detail of every attempt, where none can succeed. */
interface Failure {
  error_code: string;
  error_detail: RegExp;
}

interface Server {
  program: string;
  /** Its way to answer. */
  story: string;
  fails?: Failure;
  isSecure?: boolean;
  prepare: Story['prepare'];
  /** Its command without the port. */
  argv(service: FieldService): readonly string[];
}

const servers: readonly Server[] = [
  {
    program: 'http.server of Python',
    story: 'answers by HTTP/1.0 without a length, and closes each connection',
    prepare: () => versionOf('python3', ['--version']),
    argv: () => ['python3', join(sources, 'receiver.py')],
  },
  {
    program: 'HttpServer of the JDK',
    story: 'answers before it has read the body',
    prepare: () => versionOf('java', ['-version']),
    argv: () => ['java', join(sources, 'Receiver.java')],
  },
  {
    program: 'net/http of Go',
    story: 'sends early hints before its answer',
    prepare: (directory) =>
      versionIf(versionOf('go', ['version']) ?? '', () => {
        buildGo(join(directory, 'receiver'), join(sources, 'go', 'receiver'), []);
      }),
    argv: ({ directory }) => [join(directory, 'receiver', 'program')],
  },
  {
    program: 'node:http',
    story: 'says 100 Continue and 102 Processing unasked, and answers in chunks',
    prepare: () => process.version,
    argv: () => [process.execPath, join(sources, 'receiver.mjs')],
  },
  {
    program: 'sockets of Perl',
    story: 'resets the first connection, then answers after a 100 Continue, without a length',
    prepare: () => versionOf('perl', ['-e', 'print $^V']),
    argv: () => ['perl', join(sources, 'receiver.pl')],
  },
];

/** A server that speaks one version of TLS. */
const tlsServer = (version: string, about: Pick<Server, 'story' | 'fails'>): Server => ({
  ...about,
  program: 'ssl of Python',
  isSecure: true,
  // Some builds are without the old versions.
  prepare: () =>
    versionOf('python3', [
      ...['-c', `import ssl; print(ssl.OPENSSL_VERSION if ssl.HAS_${version} else "")`],
    ]) || undefined,
  argv({ authority, directory }) {
    const { certificate, key } = authority.issue('localhost');
    const place = join(directory, version);
    writeFileSync(`${place}.crt`, certificate);
    writeFileSync(`${place}.key`, key);
    return ['python3', join(sources, 'tls_receiver.py'), version, `${place}.crt`, `${place}.key`];
  },
});

const tlsServers: readonly Server[] = [
  tlsServer('TLSv1_2', { story: 'receives by TLS 1.2, and speaks no other version' }),
  tlsServer('TLSv1_1', {
    story: 'speaks TLS 1.1 alone, which is too old',
    fails: { error_code: 'tls_error', error_detail: /PROTOCOL_VERSION/ },
  }),
];

const storyOf = ({ program, story, fails, isSecure = false, prepare, argv }: Server): Story => ({
  ...{ program, story },
  expects: fails ? `every attempt fails as ${fails.error_code}` : 'every event is delivered',
  ...(prepare && { prepare }),
  async run(service) {
    const [port = 0] = await takePorts(1);
    const [command = '', ...args] = argv(service);
    const server = spawn(command, [...args, String(port)], { stdio: 'ignore' });
    try {
      await untilTrue(() => isListening(port));
      const url = isSecure ? 'https://localhost' : 'http://127.0.0.1';
      await deliverTo(service, `${url}:${String(port)}/hook`, fails);
    } finally {
      server.kill('SIGKILL');
    }
  },
});

const isListening = (port: number) =>
  new Promise<boolean>((found) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      found(true);
      socket.destroy();
    });
    socket.once('error', () => {
      found(false);
    });
  });

async function deliverTo(
  service: FieldService,
  target_url: string,
  fails?: Failure,
): Promise<void> {
  const made = (await call(service, 'POST', subscriptions, {
    ...{ target_url, event_types: ['contact.created'] },
  })) as { id: string };
  const at = `${subscriptions}/${made.id}`;
  try {
    // More failures would stop the attempts for a while.
    const events = fails ? 1 : 5;
    for (let count = 0; count < events; count += 1)
      await call(service, 'POST', '/v2/partner/contacts', { unique_id: randomUUID() });
    const expected = fails ? 'failed' : 'delivered';
    const deliveries = await listed<{ id: string; status: string }>(
      service,
      `${at}/deliveries`,
      (rows) => rows.length === events && rows.every(({ status }) => status === expected),
    );
    if (!fails) return;
    for (const { id } of deliveries) await expectFailures(service, `${at}/deliveries/${id}`, fails);
  } finally {
    await call(service, 'DELETE', at);
  }
}

/** All attempts of a delivery failed for the reason that is recorded with each. */
async function expectFailures(
  service: FieldService,
  delivery: string,
  { error_code, error_detail }: Failure,
): Promise<void> {
  const found = await call(service, 'GET', `${delivery}/attempts`);
  const { data } = found as { data: { error_code?: string; error_detail?: string }[] };
  const isSame = (attempt: { error_code?: string; error_detail?: string }) =>
    attempt.error_code === error_code && error_detail.test(attempt.error_detail ?? '');
  if (data.length === 0 || !data.every(isSame)) throw new Error(JSON.stringify(data));
}

export const stories: readonly Story[] = [...servers, ...tlsServers].map(storyOf);
