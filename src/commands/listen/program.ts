import { hostname } from 'node:os';
import { Command } from 'commander';
import { Type } from 'typebox';
import { LocalFailure } from '../../local/local-failure.ts';
import { print } from '../command.ts';
import { openApi } from '../api.ts';
import { partnerOf, withPartner } from '../partner.ts';
import type { PartnerOptions } from '../partner.ts';
import { followDeliveries } from './feed.ts';
import { forward } from './forward.ts';

interface ListenOptions extends PartnerOptions {
  forward: string;
  events: string[];
}

const subscriptions = '/v2/partner/webhook-subscriptions';
const Created = Type.Object({ id: Type.String(), signing_secret: Type.String() });

/** `npm run listen -- --forward <url>`; ends when `signal` is aborted. Lines go to `write`. */
export function createListen(signal: AbortSignal, write: (line: string) => void = print): Command {
  return withPartner(
    new Command('npm run listen --')
      .description(
        'Brings the events of the team to an address of this machine, signed as webhooks are, ' +
          'until Ctrl-C. The service needs no way to this machine: it is asked every second.',
      )
      .requiredOption('--forward <url>', 'where to, such as http://localhost:4000/hook')
      .option('--events <type...>', 'exact types, "prefix.*" or "*"', ['*'])
      .showHelpAfterError('(--help shows what there is)'),
  ).action(async (options: ListenOptions) => {
    if (!URL.canParse(options.forward)) throw new LocalFailure('--forward takes a URL.');
    const credentials = await partnerOf(options);
    const api = await openApi(credentials);
    // Inactive: its deliveries are recorded, and nobody calls its address.
    const body = {
      name: `npm run listen on ${hostname()}`,
      target_url: 'https://example.com/npm-run-listen',
      event_types: options.events,
      is_active: false,
    };
    const { id, signing_secret: secret } = await api.post(subscriptions, body, Created);
    write(`Events of ${credentials.base_url} go to ${options.forward} until Ctrl-C.`);
    write(`They are signed with ${secret}`);
    write('`npm run trigger -- contact.created` in another shell causes one.');
    try {
      for await (const event of followDeliveries(credentials, id, signal, write)) {
        const outcome = await forward(options.forward, secret, event);
        write(`${new Date().toISOString().slice(11, 19)}  ${event.type}  ${event.id}  ${outcome}`);
      }
    } finally {
      const path = `${subscriptions}/${id}`;
      try {
        await (await openApi(credentials)).delete(path);
        write('The subscription is deleted.');
      } catch (error) {
        const why = error instanceof LocalFailure ? error.message : String(error);
        write(`The subscription is left behind; DELETE ${path} when the service answers. ${why}`);
      }
    }
  });
}
