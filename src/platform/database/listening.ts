import { openConnection } from './connection.ts';
import type { ConnectionOptions, PooledConnection } from './connection.ts';

export interface Listening {
  /** The backend of its connection; undefined while there is none. */
  backendPid(): number | undefined;
  stop(): void;
}

/** Listens to a channel on a connection of its own, which is opened again when it ends. */
export function listen(
  options: ConnectionOptions,
  channel: string,
  onNotice: (payload: string) => void,
): Listening {
  let stopped = false;
  let backendPid: number | undefined;
  let current: PooledConnection | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function run(): Promise<void> {
    try {
      current = await openConnection(options, 2_000, (from, payload) => {
        if (from === channel) onNotice(payload);
      });
      const [backend] = await current.sql<[{ pid: number }]>`select pg_backend_pid() as pid`;
      await current.sql`listen ${current.sql(channel)}`;
      backendPid = backend.pid;
      if (stopped) current.end();
      await current.died;
    } catch {
      backendPid = undefined;
      current?.end();
      if (!stopped) timer = setTimeout(start, 250);
    }
  }
  const start = () => {
    run().catch(() => undefined);
  };
  start();
  return {
    backendPid: () => backendPid,
    stop() {
      stopped = true;
      clearTimeout(timer);
      current?.end();
    },
  };
}
