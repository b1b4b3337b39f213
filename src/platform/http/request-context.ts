import type { IncomingMessage } from 'node:http';
import type { Principal } from '../auth/principal.ts';
import type { AddressBudget } from './address-budgets.ts';
import type { Received } from './request-log.ts';
import type { Trace } from './trace.ts';

/** One request on its way through the checks. */
export interface RequestContext {
  id: string;
  request: IncomingMessage;
  /** Path and query as sent. */
  url: string;
  search: URLSearchParams;
  address: string;
  /** Whether the Accept header admits one of these media types. */
  accepts: (...mediaTypes: readonly string[]) => boolean;
  /** For as long as it is not known who calls. */
  budget: AddressBudget;
  trace: Trace;
  /** Headers of the response so far; they stay when a later check rejects the request. */
  headers: Record<string, string>;
  principal: Principal;
  received?: Received;
  /** The body of a form. It is not in `received`, which is logged, since it contains secrets. */
  form?: URLSearchParams;
}
