import type { Command } from 'commander';
import type { IncomingWebhookReceiver, Onward } from '../../../typescript/src/index.ts';
import { UsageError } from '../failures.ts';
import { openSession } from '../session.ts';
import type { Terminal } from '../session.ts';

interface SendOptions {
  event?: string;
  receiver?: string;
  setup?: boolean;
}

/** `onward inbound send <kind>`: a sample of a provider, signed by the service itself. */
export function addInbound(program: Command, terminal: Terminal): void {
  const inbound = program.command('inbound').description('callbacks of providers');
  const send = inbound
    .command('send')
    .description('sends a receiver a signed sample of its provider, without effect on contacts')
    .argument('<kind>', 'kind of the receiver, such as email_b')
    .option('--event <event>', 'which event (default: the usual one)')
    .option('--receiver <id>', 'this receiver (default: the first of the kind)')
    .option('--setup', 'make a receiver of the kind first');
  send.action(async (kind: string, options: SendOptions) => {
    const { onward, output } = openSession(terminal, send);
    const id = options.receiver ?? (await receiverOf(onward, kind, options.setup ?? false));
    const { event } = options;
    const body = event === undefined ? {} : { event };
    const delivery = await onward.incomingWebhookReceivers.test(id, body);
    output.row(delivery);
  });
}

async function receiverOf(onward: Onward, kind: string, isNew: boolean): Promise<string> {
  const receiver_kind = kindOf(kind);
  if (isNew) {
    const name = 'Samples of onward inbound';
    return (await onward.incomingWebhookReceivers.create({ receiver_kind, name })).id;
  }
  const filter = { receiver_kind, is_active: true };
  const { data } = await onward.incomingWebhookReceivers.list({ filter, page: { size: 1 } });
  if (data[0]) return data[0].id;
  throw new UsageError(`The team has no receiver of ${kind}; --setup makes one.`);
}

type Kind = IncomingWebhookReceiver['receiver_kind'];
const kinds: readonly Kind[] = [
  ...(['email_a', 'email_b', 'email_c', 'sms_a', 'sms_b', 'push_a', 'push_b'] as const),
  ...(['file_transfer_a', 'generic_hmac'] as const),
];

function kindOf(text: string): Kind {
  const kind = kinds.find((known) => known === text);
  if (kind !== undefined) return kind;
  throw new UsageError(`The kinds are ${kinds.join(', ')}.`);
}
