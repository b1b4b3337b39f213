import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';

/** Receivers of what is published to them. */
export interface Audience {
  /**
   * A request that publishes one event for each mark. The mark stands somewhere in the body that
   * receivers get, which is about `bytes` long. A keyed one may be sent again after a failure and
   * is published once.
   */
  publish(marks: readonly string[], bytes: number, isKeyed?: boolean): PublishRequest;
  /** Done by the caller before it publishes the event of a mark, such as a write of its own. */
  prepare?(mark: string): Promise<void>;
  /** Most events of one request; 1 where each takes its own. */
  most: number;
  /** Number of receivers of each event: all, unless a product has a lower limit. */
  reach: number;
  /** From now on nothing more is sent to them. */
  close(): Promise<void>;
}

export interface PublishRequest {
  method: 'POST' | 'PUT';
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** A product that the scenarios of webhooks measure: Onward, or another one in the same way. */
export interface Product {
  name: string;
  /** Where events are published. */
  url: string;
  /** Its Postgres server, in which a caller may keep rows too; absent where it has none to share. */
  databaseServerUrl?: string;
  /** Makes an endpoint for each address, for events that are published to them alone. */
  subscribe(targets: readonly string[]): Promise<Audience>;
  /** CPU seconds so far of all its processes, data stores included. */
  cpu(): number;
  /** Bytes of write-ahead log that its Postgres has written so far; 0 where it has none. */
  wal(): Promise<number>;
  close(): Promise<void>;
}

/** A module that `--product` names exports this as `openProduct`. */
export type OpenProduct = (note: (line: string) => void) => Promise<Product>;

/** Opens another product by the module that knows how to talk to it. */
export async function openProductOf(file: string, note: (line: string) => void): Promise<Product> {
  const { openProduct }: { openProduct?: OpenProduct } = await import(
    pathToFileURL(resolve(file)).href
  );
  if (openProduct) return openProduct(note);
  throw new Error(`${file} exports no openProduct (test/bench/webhooks/product.ts)`);
}

/** Text that makes a body as long as it should be. */
export const filling = (bytes: number) => 'x'.repeat(Math.max(0, bytes));
