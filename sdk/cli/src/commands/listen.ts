import { hostname } from 'node:os';
import { createHash, randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { isCode } from '../../../typescript/src/index.ts';
import { UsageError } from '../failures.ts';
import { openSession } from '../session.ts';
import type { Session, Terminal } from '../session.ts';
import { followDeliveries } from './feed.ts';
import { forward } from './forward.ts';
import type { Credentials } from '../credentials.ts';
import { configFile, readPrivate, writePrivate } from '../private-files.ts';

/**
 * The secret that `listen` signs with. It stays the same for a service, a client and an address, so
 * that a receiver can be started before `listen`, and again.
 */
function secretFor(
  { url, clientId }: Credentials,
  forward: string,
  { environment }: Terminal,
  isNew: boolean,
): string {
  const name = createHash('sha256')
    .update(JSON.stringify([url, clientId, forward]))
    .digest('hex');
  const path = configFile(environment, 'listen', `${name}.secret`);
  const known = isNew ? undefined : readPrivate(path)?.trim();
  if (known !== undefined && /^whsec_[A-Za-z0-9+/=]{32,}$/.test(known)) return known;
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  writePrivate(path, `${secret}\n`);
  return secret;
}

interface ListenOptions {
  forward: string;
  events: string[];
  newSecret?: boolean;
  printSecret?: boolean;
}

/** `onward listen --forward <url>`; ends when the terminal's signal aborts. */
export function addListen(program: Command, terminal: Terminal): void {
  const command = program
    .command('listen')
    .description('brings the events of the team to an address of this machine, until Ctrl-C')
    .requiredOption('--forward <url>', 'where to, such as http://localhost:4000/hook')
    .option('--events <type...>', 'exact types, "prefix.*" or "*"', ['*'])
    .option('--new-secret', 'sign with another secret from now on')
    .option('--print-secret', 'write the secret and end')
    .addHelpText(
      'after',
      '\nThe events are signed as webhooks are. The service needs no way to this machine: it is ' +
        'asked every second. The secret stays the same for a service, a client and an address.',
    );
  command.action(async (options: ListenOptions) => {
    if (!URL.canParse(options.forward)) throw new UsageError('--forward takes a URL.');
    const session = openSession(terminal, command);
    const { forward: url, newSecret = false, printSecret = false } = options;
    const secret = secretFor(session.credentials, url, terminal, newSecret);
    if (printSecret) terminal.write(secret);
    else await listen(session, options, secret, terminal);
  });
}

async function listen(
  session: Session,
  options: ListenOptions,
  secret: string,
  terminal: Terminal,
) {
  const { onward, credentials, output } = session;
  // Inactive: its deliveries are recorded, and nobody calls its address.
  const { id } = await onward.webhookSubscriptions.create({
    name: `onward listen on ${hostname()}`,
    target_url: 'https://example.com/onward-listen',
    event_types: options.events,
    is_active: false,
  });
  output.event(
    { signing_secret: secret, forward: options.forward },
    `Events of ${credentials.url} go to ${options.forward} until Ctrl-C.\n` +
      `They are signed with ${secret}\n` +
      '`onward trigger contact.created` in another shell causes one.',
  );
  try {
    for await (const event of followDeliveries(onward, id, terminal.signal, terminal.note)) {
      const { status, ms, text } = await forward(options.forward, secret, event);
      const { id: event_id, type } = event;
      const time = new Date().toISOString().slice(11, 19);
      output.event({ type, event_id, status, ms }, `${time}  ${type}  ${event_id}  ${text}`);
    }
  } finally {
    await remove(session, id, terminal);
  }
}

async function remove({ onward, output }: Session, id: string, { note }: Terminal) {
  try {
    await onward.webhookSubscriptions.delete(id);
    output.remark('The subscription is deleted.');
  } catch (error) {
    if (isCode(error, 'not_found')) return;
    const path = `/v2/partner/webhook-subscriptions/${id}`;
    note(`The subscription is left behind; DELETE ${path} when the service answers.`);
  }
}
