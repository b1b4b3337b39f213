import { Command, InvalidArgumentError, Option } from 'commander';
import { readConfig } from '../../platform/config.ts';
import { correlation } from '../../inbound/correlation.ts';
import { receiverKinds } from '../../inbound/receiver.ts';
import type { ReceiverDefinition } from '../../inbound/receiver.ts';
import { receivers } from '../../inbound/receivers.ts';
import { suggest } from '../../platform/lists/suggest.ts';
import { LocalFailure } from '../../local/local-failure.ts';
import { createOutput } from '../command.ts';
import { openDataDirectory } from '../data-directory.ts';
import { requireDemoFile } from '../demo-file.ts';
import { openApi } from '../api.ts';
import { recallTarget, rememberTarget } from './remembered.ts';
import { makeReceiver, secretSetting, sendSample } from './send.ts';
import type { SampleTarget } from './send.ts';

interface SendOptions {
  event?: string;
  setup?: boolean;
  receiver?: string;
  url?: string;
  secret?: string;
  set?: string[];
  message?: string;
  contact?: string;
  journey?: string;
}

/** `npm run inbound -- …`; results go to `write`, line by line. */
export function createInbound(write?: (line: string) => void): Command {
  const program = new Command('npm run inbound --')
    .description('Sends callbacks as providers would, to a service that runs on this machine.')
    .option('--json', 'answer in JSON')
    .showHelpAfterError('(--help shows what there is)')
    .showSuggestionAfterError();
  const output = createOutput(() => program.opts<{ json?: boolean }>().json ?? false, write);

  program
    .command('events')
    .description('shows the kinds, how they prove themselves, and their events')
    .action(() => {
      const rows = receiverKinds.map((kind) => {
        const { scheme, sampleEvents } = receivers[kind];
        return { kind, scheme, events: sampleEvents };
      });
      output.rows(rows, ['kind', 'scheme', 'events']);
    });

  program
    .command('send')
    .argument('<kind>', receiverKinds.join(', '), parseKind)
    .description('sends a signed callback; without the provider’s key, as a relay would')
    .option('--event <event>', 'which event (default: the usual one)')
    .option('--setup', 'make a receiver with fresh keys first, as the demo client, and remember it')
    .option('--receiver <id>', 'send to this one; needs --secret')
    .option('--url <url>', 'the receiver’s whole address, where it is not on the local service')
    .addOption(
      new Option(
        '--secret <secret>',
        'relay secret (whsec_…), receiver token (dors_…) or the provider’s own secret',
      ).env('INBOUND_SECRET'),
    )
    .option('--set <name=value...>', 'what else the provider signs with, such as account_id=AC…')
    .option('--message <id>', 'the do_message_id that the provider echoes')
    .option('--contact <id>', 'the do_contact_id that the provider echoes')
    .option('--journey <id>', 'the do_journey_id that the provider echoes')
    .action(async (definition: ReceiverDefinition, options: SendOptions) => {
      const event = eventOf(definition, options.event);
      const target = await targetOf(definition, options);
      const settings = { ...target.settings, ...echoedBy(options) };
      const answer = await sendSample(definition, event, { ...target, settings }, Date.now());
      output.row({ sent: `${definition.kind} ${event}`, to: target.url, ...answer });
    });
  return program;
}

function parseKind(text: string): ReceiverDefinition {
  const kind = receiverKinds.find((known) => known === text);
  if (kind !== undefined) return receivers[kind];
  throw new InvalidArgumentError(
    `The kinds are ${receiverKinds.join(', ')}.${suggest(text, receiverKinds)}`,
  );
}

function eventOf({ kind, sampleEvents }: ReceiverDefinition, wanted: string | undefined): string {
  const event = wanted ?? sampleEvents[0];
  if (event !== undefined && sampleEvents.includes(event)) return event;
  throw new LocalFailure(
    `${kind} has the events ${sampleEvents.join(', ')}.${suggest(wanted ?? '', sampleEvents)}`,
  );
}

function echoedBy({ message, contact, journey }: SendOptions): Record<string, string> {
  const ids = [message, contact, journey];
  return Object.fromEntries(
    Object.keys(correlation).flatMap((name, at) => {
      const id = ids[at];
      return id === undefined ? [] : [[name, id]];
    }),
  );
}

/** The receiver that is named, else a new one, else the one of the last time. */
async function targetOf(
  definition: ReceiverDefinition,
  { setup, receiver, url, secret, set = [] }: SendOptions,
): Promise<SampleTarget> {
  const { kind } = definition;
  const directory = openDataDirectory(readConfig({ development: true }).dataDirectory);
  if (setup) {
    const api = await openApi(await requireDemoFile(directory.demo));
    const made = await makeReceiver(api, kind);
    await rememberTarget(directory.samples, kind, made);
    return made;
  }
  if (receiver !== undefined || url !== undefined) {
    if (secret === undefined && set.length === 0) {
      throw new LocalFailure('Say what to sign with: --secret, or INBOUND_SECRET.');
    }
    const settings = {
      ...(secret !== undefined && secretSetting(kind, secret)),
      ...Object.fromEntries(set.map(readPair)),
    };
    if (url !== undefined) return { url, settings };
    const { base_url: base } = await requireDemoFile(directory.demo);
    return { url: `${base}/v2/webhooks/inbound/${kind}/${receiver ?? ''}`, settings };
  }
  const remembered = await recallTarget(directory.samples, kind);
  if (remembered) return remembered;
  throw new LocalFailure('Make a receiver with --setup, or name one with --receiver and --secret.');
}

function readPair(text: string): [string, string] {
  const end = text.indexOf('=');
  if (end > 0) return [text.slice(0, end), text.slice(end + 1)];
  throw new LocalFailure(`--set takes name=value, not ${text}.`);
}
