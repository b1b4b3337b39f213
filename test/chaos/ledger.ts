import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Requests received for one webhook-id. */
export interface Entry {
  eventId: string;
  type: string;
  resourceId: string;
  /** Digest of the first copy's bytes. */
  hash: string;
  copies: number;
  /** Copies whose bytes differ from those of the first. */
  differing: number;
  firstAtMs: number;
}

export interface Ledger {
  /** Where the subscription with this name posts to. */
  urlOf(subscription: string): string;
  entriesOf(subscription: string): readonly Entry[];
  /** Events that have come, each counted once. */
  count(): number;
  /** True once an event of this type about this resource has come. */
  has(subscription: string, type: string, resourceId: string): boolean;
  /** From now on the subscription is answered so; 204 unless said otherwise. */
  answer(subscription: string, status: number): void;
  stop(): Promise<void>;
}

export const digest = (body: string | Buffer) => createHash('sha256').update(body).digest('hex');

/** A webhook receiver that keeps a ledger of what it accepted, by subscription and webhook-id. */
export async function startLedger(): Promise<Ledger> {
  const books = new Map<string, Map<string, Entry>>();
  const seen = new Set<string>();
  const statuses = new Map<string, number>();

  function enter(subscription: string, eventId: string, body: Buffer) {
    const book = books.get(subscription) ?? new Map<string, Entry>();
    books.set(subscription, book);
    const hash = digest(body);
    const known = book.get(eventId);
    if (known) {
      known.copies += 1;
      if (known.hash !== hash) known.differing += 1;
      return;
    }
    const event = JSON.parse(body.toString());
    const resourceId = String(event.data?.id);
    const about = { eventId, type: String(event.type), resourceId };
    book.set(eventId, { ...about, hash, copies: 1, differing: 0, firstAtMs: Date.now() });
    seen.add(`${subscription} ${about.type} ${resourceId}`);
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const subscription = request.url?.slice(1) ?? '';
      const status = statuses.get(subscription) ?? 204;
      if (status < 300) {
        enter(subscription, String(request.headers['webhook-id']), Buffer.concat(chunks));
      }
      response.writeHead(status).end();
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    urlOf: (subscription) => `http://127.0.0.1:${String(port)}/${subscription}`,
    entriesOf: (subscription) => [...(books.get(subscription)?.values() ?? [])],
    count: () => seen.size,
    has: (subscription, type, resourceId) => seen.has(`${subscription} ${type} ${resourceId}`),
    answer: (subscription, status) => statuses.set(subscription, status),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
