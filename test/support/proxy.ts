import net from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

export interface Proxy {
  port: number;
  /** Connections that it holds open. */
  connections(): number;
  /** Stops forwarding without a word: bytes are kept, and nobody gets a FIN or a reset. */
  blackHole(): void;
  /** Forwards again, for the connections that are made from now on. */
  heal(): void;
  /** Resets every connection. */
  cut(): void;
  stop(): Promise<void>;
}

/** A TCP proxy on loopback whose faults a test chooses. */
export async function startProxy(target: { host: string; port: number }): Promise<Proxy> {
  const pairs = new Set<[Socket, Socket]>();
  const swallowed = new Set<Socket>();
  let isBlack = false;

  const server = net.createServer((client) => {
    if (isBlack) {
      client.on('error', () => undefined);
      client.pause();
      swallowed.add(client);
      return;
    }
    const upstream = net.connect(target);
    const pair: [Socket, Socket] = [client, upstream];
    pairs.add(pair);
    for (const socket of pair) {
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        pairs.delete(pair);
        for (const other of pair) other.destroy();
      });
    }
    client.pipe(upstream);
    upstream.pipe(client);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address: AddressInfo | string | null = server.address();

  return {
    port: typeof address === 'object' && address ? address.port : 0,
    connections: () => pairs.size,
    blackHole() {
      isBlack = true;
      for (const [client, upstream] of pairs) {
        client.unpipe(upstream);
        upstream.unpipe(client);
        client.pause();
        upstream.pause();
      }
    },
    heal() {
      isBlack = false;
    },
    cut() {
      for (const pair of pairs) for (const socket of pair) socket.resetAndDestroy();
    },
    stop: () =>
      new Promise((resolve) => {
        for (const pair of pairs) for (const socket of pair) socket.destroy();
        for (const socket of swallowed) socket.destroy();
        server.close(() => {
          resolve();
        });
      }),
  };
}
