import type { Command } from 'commander';
import { findCredentials, findLocalService } from '../credentials.ts';
import { outputOf } from '../session.ts';
import type { GlobalOptions, Terminal } from '../session.ts';

/** `onward open`: addresses of the service; it opens nothing by itself. */
export function addOpen(program: Command, terminal: Terminal): void {
  const command = program.command('open').description('shows the addresses of the service');
  command.action(() => {
    const options = command.optsWithGlobals<GlobalOptions>();
    const { url } = findCredentials(options, terminal.environment);
    const local = findLocalService(terminal.environment);
    const isLocal = local?.url === url;
    const temporal = isLocal && local.temporalUrl !== undefined;
    outputOf(terminal, command).row({
      api: url,
      docs: isLocal ? local.docsUrl : `${url}/docs`,
      openapi: `${url}/v2/meta/openapi.json`,
      insights: `${url}/insights`,
      requests: `${url}/requests`,
      ...(isLocal && { mailbox: `${url}/mailbox` }),
      ...(temporal && {
        temporal: `${local.temporalUrl ?? ''}/namespaces/${local.temporalNamespace}/workflows`,
      }),
    });
  });
}
