import net from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

export interface Proxy {
  port: number;
  /** Connections that it holds open. */
  connections(): number;
  /** Stops forwarding silently: bytes are held back, and neither side gets a FIN or a reset. */
  blackHole(): void;
  /** Takes no connection any more, and resets those that it has. */
  refuse(): Promise<void>;
  /** Takes connections and forwards again, for those that are made from now on. */
  heal(): Promise<void>;
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
  const listen = (port: number) =>
    new Promise<void>((resolve) => {
      server.listen(port, '127.0.0.1', resolve);
    });
  await listen(0);
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const cut = () => {
    for (const pair of pairs) for (const socket of pair) socket.resetAndDestroy();
  };

  return {
    port,
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
    refuse: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        cut();
      }),
    async heal() {
      isBlack = false;
      if (!server.listening) await listen(port);
    },
    cut,
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
