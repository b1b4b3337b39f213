import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
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
const events = 5;

interface Server {
  program: string;
  /** Its way to answer. */
  story: string;
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

const storyOf = ({ program, story, prepare, argv }: Server): Story => ({
  ...{ program, story, expects: 'every event is delivered' },
  ...(prepare && { prepare }),
  async run(service) {
    const [port = 0] = await takePorts(1);
    const [command = '', ...args] = argv(service);
    const server = spawn(command, [...args, String(port)], { stdio: 'ignore' });
    try {
      await untilTrue(() => isListening(port));
      await deliverTo(service, `http://127.0.0.1:${String(port)}/hook`);
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

async function deliverTo(service: FieldService, target_url: string): Promise<void> {
  const made = (await call(service, 'POST', subscriptions, {
    ...{ target_url, event_types: ['contact.created'] },
  })) as { id: string };
  const at = `${subscriptions}/${made.id}`;
  try {
    for (let count = 0; count < events; count += 1)
      await call(service, 'POST', '/v2/partner/contacts', { unique_id: randomUUID() });
    await listed<{ status: string }>(
      service,
      `${at}/deliveries`,
      (rows) => rows.length === events && rows.every(({ status }) => status === 'delivered'),
    );
  } finally {
    await call(service, 'DELETE', at);
  }
}

export const stories: readonly Story[] = servers.map(storyOf);
