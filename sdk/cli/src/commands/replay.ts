import type { Command } from 'commander';
import { readCount, readSince } from '../arguments.ts';
import { UsageError } from '../failures.ts';
import { openSession } from '../session.ts';
import type { Terminal } from '../session.ts';

const statuses = ['pending', 'retrying', 'delivered', 'failed', 'suppressed'] as const;
type Status = (typeof statuses)[number];

interface ReplayOptions {
  since: string;
  status: string[];
  events?: string[];
  rate?: string;
  dryRun?: boolean;
}

/** `onward replay <subscription>`: sends the webhooks of a time again. */
export function addReplay(program: Command, terminal: Terminal): void {
  const command = program
    .command('replay')
    .description('sends webhooks of a subscription again')
    .argument('<subscription>', 'id of the webhook subscription')
    .option('--since <time>', '15m, 2h, 7d or a time', '1d')
    .option('--status <status...>', `of ${statuses.join(', ')}`, ['failed'])
    .option('--events <type...>', 'of these types only')
    .option('--rate <count>', 'deliveries a second')
    .option('--dry-run', 'only count what would be sent');
  command.action(async (subscription: string, options: ReplayOptions) => {
    const { onward, output } = openSession(terminal, command);
    const { since, status, events, rate, dryRun } = options;
    const replay = await onward.webhookSubscriptions.replay(subscription, {
      filter: {
        since: readSince(since, Date.now()),
        status: status.map(readStatus),
        ...(events && { event_type: events }),
      },
      ...(rate !== undefined && { rate_per_second: readCount(rate) }),
      ...(dryRun === true && { dry_run: true }),
    });
    output.row(replay);
  });
}

function readStatus(text: string): Status {
  const status = statuses.find((known) => known === text);
  if (status !== undefined) return status;
  throw new UsageError(`--status takes ${statuses.join(', ')}.`);
}
