import { Argument } from 'commander';
import type { Command } from 'commander';
import { openBrowser } from '../browser.ts';
import { UsageError } from '../failures.ts';
import { findCredentials, findLocalService } from '../credentials.ts';
import { outputOf } from '../session.ts';
import type { GlobalOptions, Terminal } from '../session.ts';

const pages = ['docs', 'insights', 'requests', 'mailbox', 'temporal'] as const;

/** `onward open`: a page of the service in a browser, where there is one; and its addresses. */
export function addOpen(program: Command, terminal: Terminal): void {
  const command = program
    .command('open')
    .description('opens a page of the service in a browser, or shows its addresses')
    .addArgument(new Argument('[page]', 'which; without it, shows the addresses').choices(pages));
  command.action(async (page?: (typeof pages)[number]) => {
    const options = command.optsWithGlobals<GlobalOptions>();
    const { url } = findCredentials(options, terminal.environment);
    const local = findLocalService(terminal.environment);
    const isLocal = local?.url === url;
    const temporal = isLocal && local.temporalUrl !== undefined;
    const key = isLocal && local.pageKey !== undefined ? `?key=${local.pageKey}` : '';
    const addresses = {
      api: url,
      docs: isLocal ? local.docsUrl : `${url}/docs`,
      openapi: `${url}/v2/meta/openapi.json`,
      insights: `${url}/insights${key}`,
      requests: `${url}/requests${key}`,
      ...(isLocal && { mailbox: `${url}/mailbox${key}` }),
      ...(temporal && {
        temporal: `${local.temporalUrl ?? ''}/namespaces/${local.temporalNamespace}/workflows`,
      }),
    };
    const output = outputOf(terminal, command);
    if (page === undefined) {
      output.row(addresses);
      return;
    }
    const { [page]: address } = addresses;
    if (address === undefined) throw new UsageError(`Only a service of this machine has ${page}.`);
    const isOpened = !output.isJson && terminal.isInteractive && (await openBrowser(address));
    output.row({ [page]: address });
    if (!isOpened && !output.isJson) terminal.note('There is no browser here to open it.');
  });
}
