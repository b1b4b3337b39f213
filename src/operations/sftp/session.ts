import type { SFTPWrapper } from 'ssh2';
import type { Log } from '../../platform/observability/log.ts';
import type { Backpressure } from './backpressure.ts';
import { serveFileRequests } from './file-requests.ts';
import { createHandles } from './handles.ts';
import { servePathRequests } from './path-requests.ts';
import { createRequestQueue } from './request-queue.ts';
import { connectionLost } from './upload-status.ts';
import type { VirtualFileSystem } from './virtual-file-system.ts';

export interface Session {
  /** Time of the last request; undefined while one is in progress. */
  idleSinceMs(): number | undefined;
  isWriting(): boolean;
  /** The client has disconnected: an unfinished file is discarded. Never rejects. */
  end(): Promise<void>;
}

/** Serves the requests of a client to its drop. */
export function serveSession(
  sftp: SFTPWrapper,
  files: VirtualFileSystem,
  backpressure: Backpressure,
  log: Log,
  onEnd: () => void,
): Session {
  const handles = createHandles();
  const queue = createRequestQueue(sftp, backpressure, log);
  const parts = { sftp, files, handles };
  serveFileRequests(parts, queue);
  servePathRequests(parts, queue);
  sftp.on('error', (error: unknown) => {
    log.info({ err: error }, 'an SFTP client broke the protocol');
  });

  async function abandon(): Promise<void> {
    await queue.stop();
    for (const file of handles.clear()) {
      await file.abandon(connectionLost).catch((error: unknown) => {
        log.warn({ err: error }, 'an aborted upload could not be recorded');
      });
    }
    onEnd();
  }
  let ending: Promise<void> | undefined;
  sftp.on('end', () => {
    sendExitStatus(sftp, handles.isWriting() ? 1 : 0);
    sftp.end();
    ending ??= abandon();
  });

  return {
    idleSinceMs: queue.idleSinceMs,
    isWriting: handles.isWriting,
    end: () => (ending ??= abandon()),
  };
}

/**
 * Sends the exit status of a session, which ssh2 offers for commands alone: `scp` takes a missing one
 * for a failure.
 */
function sendExitStatus(sftp: SFTPWrapper, status: 0 | 1): void {
  const protocol: unknown = Reflect.get(sftp, '_protocol');
  const outgoing: unknown = Reflect.get(sftp, 'outgoing');
  if (sendsExitStatus(protocol) && isOpenChannel(outgoing))
    protocol.exitStatus(outgoing.id, status);
}

function sendsExitStatus(
  value: unknown,
): value is { exitStatus(channel: number, status: number): void } {
  return typeof value === 'object' && value !== null && 'exitStatus' in value;
}

function isOpenChannel(value: unknown): value is { id: number } {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof Reflect.get(value, 'id') === 'number' &&
    Reflect.get(value, 'state') === 'open'
  );
}
