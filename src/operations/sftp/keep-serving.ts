import { codeOf } from '../../platform/database/failures.ts';
import { startSftpServer } from './server.ts';
import type { SftpDependencies, SftpServer, SftpServerOptions } from './server.ts';

const retryPauseMs = 5_000;

/**
 * Serves the drop until closed. If another process of this machine uses the port, waits for it: the
 * rest of a worker does not depend on files.
 */
export async function keepServing(
  dependencies: SftpDependencies,
  options: SftpServerOptions,
): Promise<Pick<SftpServer, 'isFull' | 'close'> & { port: number | undefined }> {
  let server: SftpServer | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;

  async function start(): Promise<void> {
    try {
      server = await startSftpServer(dependencies, options);
    } catch (error) {
      const { port } = options;
      const isTaken = codeOf(error) === 'EADDRINUSE';
      const says = isTaken ? 'another process takes files on this port' : 'no files are taken';
      dependencies.log.warn({ port, ...(!isTaken && { err: error }) }, says);
      if (!isOver) timer = setTimeout(again, retryPauseMs);
    }
  }
  let starting = start();
  const again = () => {
    starting = start();
  };
  await starting;
  return {
    port: server?.port,
    isFull: () => server?.isFull() ?? false,
    async close() {
      isOver = true;
      clearTimeout(timer);
      await starting;
      await server?.close();
    },
  };
}
