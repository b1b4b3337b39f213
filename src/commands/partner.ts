import type { Command } from 'commander';
import { Option } from 'commander';
import { readConfig } from '../platform/config.ts';
import { LocalFailure } from '../local/local-failure.ts';
import { openDataDirectory } from './data-directory.ts';
import { requireDemoFile } from './demo-file.ts';
import type { Credentials } from './api.ts';

export interface PartnerOptions {
  url?: string;
  clientId?: string;
  clientSecret?: string;
}

/** Options of a command that works as a partner: by default the demo client of `npm start`. */
export function withPartner(command: Command): Command {
  return command
    .option('--url <url>', 'a service elsewhere, such as https://api.example.com')
    .addOption(new Option('--client-id <id>', 'of a client there').env('ONWARD_CLIENT_ID'))
    .addOption(new Option('--client-secret <secret>', 'its secret').env('ONWARD_CLIENT_SECRET'));
}

/** URL and credentials of the service. Throws LocalFailure that names missing options. */
export async function partnerOf(options: PartnerOptions): Promise<Credentials> {
  const { url, clientId, clientSecret } = options;
  if (url === undefined) {
    const { dataDirectory } = readConfig({ development: true });
    return requireDemoFile(openDataDirectory(dataDirectory).demo);
  }
  if (clientId === undefined || clientSecret === undefined) {
    throw new LocalFailure(
      'Say as whom: --client-id and --client-secret, or ONWARD_CLIENT_ID and ONWARD_CLIENT_SECRET.',
    );
  }
  return { base_url: url.replace(/\/+$/, ''), client_id: clientId, client_secret: clientSecret };
}
