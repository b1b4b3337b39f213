import type { Server, Socket } from 'node:net';
import type { HttpLimits } from '../config/http.ts';
import { networkOf } from './client-address.ts';
import { connectionRefusals } from './metrics.ts';

/** Closes connections beyond those that a process, or one address, may have open. */
export function limitConnections(
  server: Server,
  { maxConnections, maxConnectionsPerAddress }: HttpLimits,
): void {
  const open = new Map<string, number>();
  server.maxConnections = maxConnections;
  server.on('drop', () => connectionRefusals.inc({ limit: 'process' }));
  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const count = (open.get(network) ?? 0) + 1;
    if (count > maxConnectionsPerAddress) {
      connectionRefusals.inc({ limit: 'address' });
      socket.destroy();
      return;
    }
    open.set(network, count);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}
