import { Command, InvalidArgumentError } from 'commander';
import { suggest } from '../../platform/lists/suggest.ts';
import { print } from '../command.ts';
import { openApi } from '../api.ts';
import { partnerOf, withPartner } from '../partner.ts';
import { triggeredEvents, triggers } from './triggers.ts';
import type { TriggeredEvent } from './triggers.ts';

/** `npm run trigger -- <event>`; lines go to `write`. */
export function createTrigger(write: (line: string) => void = print): Command {
  return withPartner(
    new Command('npm run trigger --')
      .description('Does through the API what records an event, with data made up for it.')
      .argument('[event]', 'which; without it, shows those that there are', parseEvent)
      .showHelpAfterError('(--help shows what there is)'),
  ).action(async (event: TriggeredEvent | undefined, options: object) => {
    if (event === undefined) {
      for (const name of triggeredEvents) write(name);
      return;
    }
    const path = await triggers[event](await openApi(await partnerOf(options)));
    write(`${event}  ${path}`);
  });
}

function parseEvent(text: string): TriggeredEvent {
  const event = triggeredEvents.find((known) => known === text);
  if (event !== undefined) return event;
  throw new InvalidArgumentError(
    `No client causes it by itself.${suggest(text, triggeredEvents)} ` +
      '`npm run trigger` shows those that there are.',
  );
}
