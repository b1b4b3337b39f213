import type { Command } from 'commander';
import { callByPath } from '../by-path.ts';
import { UsageError } from '../failures.ts';
import { openSession, outputOf } from '../session.ts';
import type { Terminal } from '../session.ts';
import { triggeredEvents, triggers } from './triggers.ts';

/** `onward trigger <event>`. */
export function addTrigger(program: Command, terminal: Terminal): void {
  const command = program
    .command('trigger')
    .description('does through the API what records an event, with data made up for it')
    .argument('[event]', 'which; without it, shows those that there are');
  command.action(async (event: string | undefined) => {
    if (event === undefined) {
      const rows = triggeredEvents.map((name) => ({ event: name }));
      outputOf(terminal, command).rows(rows, ['event']);
      return;
    }
    const known = triggeredEvents.find((name) => name === event);
    if (known === undefined) throw new UsageError(unknown(event));
    const { onward, output } = openSession(terminal, command);
    const path = await triggers[known](callByPath(onward));
    output.row({ event: known, path });
  });
}

function unknown(event: string): string {
  const [resource = ''] = event.split('.');
  const near = triggeredEvents.filter((name) => name.startsWith(resource)).join(', ');
  const those = near === '' ? '`onward trigger` shows those that there are.' : `There are ${near}.`;
  return `No client causes ${event} by itself. ${those}`;
}
