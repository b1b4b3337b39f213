import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import ipaddr from 'ipaddr.js';
import { whenClosing } from './receiver.ts';

/** Everything that a network of its own takes connections for. */
export interface Honeypot {
  /** Connections since the last call, by address. */
  taken: () => Record<string, number>;
  /** Connects without a check; returns whether a listener accepted. */
  dial: (host: string, port: number) => Promise<boolean>;
}

/** Answers everything with 204, but /elsewhere with a redirect, and keeps no connection. */
const answer: http.RequestListener = (request, response) => {
  response.setHeader('connection', 'close');
  if (request.url?.startsWith('/elsewhere/') === true) {
    response.writeHead(307, { location: request.url.slice('/elsewhere/'.length) });
  } else response.writeHead(204);
  request.resume();
  response.end();
};

/**
 * Listens at every address there is, where the routes lead them all to this machine: with TLS at
 * 443 and 8443, without at the other ports.
 */
export async function openHoneypot(
  ports: readonly number[],
  certificate: https.ServerOptions,
): Promise<Honeypot> {
  let counts: Record<string, number> = {};
  let wake: () => void = () => undefined;
  for (const port of ports) {
    const isSecure = port === 443 || port === 8443;
    const server = isSecure ? https.createServer(certificate, answer) : http.createServer(answer);
    server.on('connection', (socket: net.Socket) => {
      const address = ipaddr.process(socket.localAddress ?? '').toString();
      counts[address] = (counts[address] ?? 0) + 1;
      wake();
    });
    server.on('tlsClientError', () => undefined);
    // Both families, since :: stands for 0.0.0.0 as well.
    server.listen(port, '::');
    await once(server, 'listening');
    whenClosing(() => server.close());
  }
  return {
    taken() {
      const told = counts;
      counts = {};
      return told;
    },
    dial: (host, port) =>
      new Promise((resolve) => {
        const socket = net.connect({ host, port });
        const end = (isTaken: boolean) => {
          wake = () => undefined;
          socket.destroy();
          resolve(isTaken);
        };
        wake = () => end(true);
        socket.on('error', () => end(false));
      }),
  };
}
