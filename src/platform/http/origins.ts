import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Database } from '../database/client.ts';
import { parseUrl } from '../schema/rules.ts';

/** Pages that may read responses of the widget surface. */
export interface Origins {
  /** Whether the page belongs to the service. */
  isOwn(headers: IncomingHttpHeaders): boolean;
  /**
   * CORS headers for a rejection before authentication: for pages of the service and of any open
   * widget.
   */
  headersFor(headers: IncomingHttpHeaders): Promise<Record<string, string>>;
  /**
   * Removes the headers, unless the page belongs to the service or the recipient's widget admits
   * it.
   */
  restrict(
    answer: Record<string, string>,
    headers: IncomingHttpHeaders,
    admitted: readonly string[],
  ): void;
  /** Returns the headers of a CORS preflight; undefined for any other request. */
  preflight(headers: IncomingHttpHeaders): Promise<Record<string, string> | undefined>;
}

/** Time for which an origin that was removed from its widget may still send a preflight. */
const knownMs = 30_000;
/** Time for which an origin that was added to a widget may be rejected. */
const unknownMs = 5_000;

/** Headers that let a page read a response. */
const readable = [
  'Access-Control-Allow-Origin',
  'Access-Control-Allow-Credentials',
  'Access-Control-Expose-Headers',
];

export function createOrigins(database: Database, publicBaseUrl: string): Origins {
  const own = new URL(publicBaseUrl);
  const known = new LRUCache<string, true>({ max: 10_000, ttl: knownMs });
  // Apart, so that made-up origins push none out.
  const unknown = new LRUCache<string, true>({ max: 10_000, ttl: unknownMs });

  async function isAdmitted(origin: string): Promise<boolean> {
    if (known.has(origin)) return true;
    if (unknown.has(origin)) return false;
    const found = await database.read(
      (sql) => sql`
        select from widget_instances
        where allowed_origins @> array[${origin}::text] and is_active and archived_at is null
          and deleted_at is null
        limit 1 /* any team: nobody has said yet who calls */`,
      { isPipelined: true },
    );
    (found.length > 0 ? known : unknown).set(origin, true);
    return found.length > 0;
  }

  // The host of the request counts too: a developer opens localhost, which may not be the public
  // base URL. The scheme must match, since a page without TLS is not authenticated.
  const isOwn = ({ origin, host }: IncomingHttpHeaders) => {
    const page = origin === undefined ? undefined : parseUrl(origin);
    if (!page) return false;
    return origin === own.origin || (page.host === host && page.protocol === own.protocol);
  };

  async function headersFor(headers: IncomingHttpHeaders): Promise<Record<string, string>> {
    const { origin } = headers;
    if (origin === undefined || origin.length > 255) return { Vary: 'Origin' };
    if (!isOwn(headers) && !(await isAdmitted(origin))) return { Vary: 'Origin' };
    return {
      Vary: 'Origin',
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Allow-Credentials': 'true',
      'Access-Control-Expose-Headers': 'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy',
    };
  }

  return {
    isOwn,
    headersFor,
    restrict(answer, headers, admitted) {
      if (isOwn(headers) || admitted.includes(headers.origin ?? '')) return;
      for (const name of readable) Reflect.deleteProperty(answer, name);
    },
    async preflight(headers) {
      if (headers['access-control-request-method'] === undefined) return undefined;
      const { Vary, ...allowed } = await headersFor(headers);
      if (headers.origin === undefined || Object.keys(allowed).length === 0)
        return { Vary: Vary ?? 'Origin' };
      return {
        ...allowed,
        Vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
        'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE',
        'Access-Control-Allow-Headers': 'Authorization, Content-Type, X-CSRF-Token, X-Request-Id',
        'Access-Control-Max-Age': '600',
      };
    },
  };
}
