import type { Keyring } from '../auth/keyring.ts';
import type { Recipients } from '../auth/recipients.ts';
import type { TokenService } from '../auth/tokens.ts';
import type { WidgetTokens } from '../auth/widget-tokens.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/client.ts';
import type { VerificationTools } from '../egress/verification-tools.ts';
import type { Cursors } from '../lists/cursor.ts';
import type { Log } from '../observability/log.ts';
import type { AddressBudgets } from './address-budgets.ts';
import type { AuditCounter } from './audit-counter.ts';
import type { AuthFailures } from './auth-failures.ts';
import type { DeprecationNotices } from './deprecated-calls.ts';
import type { EndpointFacts } from './endpoint-facts.ts';
import type { Problem } from './errors.ts';
import type { Origins } from './origins.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { RequestLog } from './request-log.ts';
import type { KnownTeamStates } from './team-states.ts';

/** A request with its response. */
export interface Answered {
  /** Undefined where there is none at the address. */
  endpoint: EndpointFacts | undefined;
  params: Readonly<Record<string, string>>;
  search: URLSearchParams;
  /** The body of the request: JSON, or the fields of a form. */
  body: unknown;
  status: number;
  /** The body of the response before serialization; undefined without a body, and for a repeat. */
  shown: unknown;
  problems: readonly Problem[];
}

/** A team that the pages of this machine show without a sign-in. */
export interface LocalTeam {
  name: string;
  /** Whether its data is made up. */
  isSample: boolean;
  teamId: string;
  clientId: string;
  scopes: readonly string[];
}

/** Access that `npm start` opens to browsers on the same machine. */
export interface LocalAccess {
  teams: () => readonly LocalTeam[];
  /** Secret of the addresses of the pages; a browser that has opened one keeps it in a cookie. */
  pageKey: string;
  /** Undefined until Temporal runs, and where its address is not known. */
  temporalUiUrl: () => string | undefined;
}

/** Components of the API process, composed once by the roots and by tests. */
export interface Services {
  config: Config;
  database: Database;
  keyring: Keyring;
  tokens: TokenService;
  widgetTokens: WidgetTokens;
  recipients: Recipients;
  origins: Origins;
  limiter: RateLimiter;
  addressBudgets: AddressBudgets;
  teamStates: KnownTeamStates;
  cursors: Cursors;
  requestLog: RequestLog;
  authFailures: AuthFailures;
  deprecations: DeprecationNotices;
  auditCounter: AuditCounter;
  log: Log;
  /** External access that the verification of callbacks needs. */
  verificationTools: VerificationTools;
  /** Every endpoint: for capabilities, the OpenAPI document and the docs. */
  endpoints: readonly EndpointFacts[];
  local?: LocalAccess | undefined;
  /** Called with every response except those of plain pages; for tests. */
  onAnswer?: ((answered: Answered) => void) | undefined;
}
