import { createApp } from './create-app.ts';
import type { Keyring } from '../platform/auth/keyring.ts';
import { createRecipients } from '../platform/auth/recipients.ts';
import { createSigningKeys, ensureSigningKey } from '../platform/auth/signing-keys.ts';
import { createTokenService } from '../platform/auth/tokens.ts';
import { createWidgetTokens } from '../platform/auth/widget-tokens.ts';
import type { Config } from '../platform/config.ts';
import { connectDatabase } from '../platform/database/client.ts';
import type { Database, DatabaseOptions } from '../platform/database/client.ts';
import { checkDatabase } from '../platform/database/migrate.ts';
import { createNotifier } from '../platform/database/notify.ts';
import { retryUntilAvailable } from '../platform/database/wait-for-database.ts';
import { createEgress } from '../platform/egress/client.ts';
import type { VerificationTools } from '../platform/egress/verification-tools.ts';
import { refuseOpenProxy } from '../platform/egress/proxy-check.ts';
import { endpoints } from './endpoints.ts';
import { registerHooks } from './hooks.ts';
import { createDeprecationNotices } from '../webhooks/deprecations/notices.ts';
import { createAddressBudgets } from '../platform/http/address-budgets.ts';
import { createAuditCounter } from '../platform/http/audit-counter.ts';
import { readWindowMs } from '../platform/http/counted-reads.ts';
import { createAuthFailures } from '../platform/http/auth-failures.ts';
import type { Endpoint } from '../platform/http/endpoint.ts';
import { listen } from '../platform/http/listen.ts';
import { createOrigins } from '../platform/http/origins.ts';
import { intakeOf } from '../inbound/intake/intake.ts';
import { createVerificationTools } from '../inbound/verification-tools.ts';
import { visitsOf } from '../messaging/tracking/visits.ts';
import { createRateLimiter } from '../platform/http/rate-limit.ts';
import type { Services } from '../platform/http/services.ts';
import { createRequestLog, noRequestLog } from '../platform/http/request-log.ts';
import { createTeamStates } from '../platform/http/team-states.ts';
import { createCursors } from '../platform/lists/cursor.ts';
import type { Log } from '../platform/observability/log.ts';
import { readTeamStates } from '../team/team-states.ts';
import { observeEgress } from '../meta/egress-metrics.ts';

export interface ApiProcess {
  url: string;
  database: Database;
  close(): Promise<void>;
}

/**
 * Connects, checks the database schema, and serves the API until closed. Tests inject certificates and
 * keys for the verification of callbacks, which are fetched otherwise, endpoints, a recorder of
 * responses, and longer waits for Postgres.
 */
export async function startApi(
  config: Config & { databaseUrl: string },
  keyring: Keyring,
  log: Log,
  outside: {
    verificationTools?: VerificationTools;
    endpoints?: readonly Endpoint[];
    onAnswer?: Services['onAnswer'];
    local?: Services['local'];
    patience?: Pick<DatabaseOptions, 'acquireTimeoutMs' | 'deadlineMs'>;
  } = {},
): Promise<ApiProcess> {
  registerHooks();
  const { proxyUrl, maxConnections } = config.webhooks;
  const egress = createEgress({
    // Authorities publish certificates of issuers by http: only; each must be signed by a root. The
    // hosts of keys and certificates are fixed by each scheme, so the list for targets leaves them out.
    rules: { ...config.webhooks, allowHttp: true, allowedHosts: [] },
    maxConnections,
    ...(proxyUrl !== undefined && { proxyUrl }),
  });
  await refuseOpenProxy(egress, log);
  const forgetEgress = observeEgress(egress);
  const database: Database = connectDatabase({
    url: config.databaseUrl,
    maxConnections: config.databasePoolSize,
    applicationName: 'onward-api',
    onWork: createNotifier(() => database),
    ...outside.patience,
  });
  const loadTeamStates = () =>
    database.read((sql) => readTeamStates(sql, config.sending.domains), { deadlineMs: 1_000 });
  const teamStates = await retryUntilAvailable(
    async () => {
      await database.read((sql) => checkDatabase(sql));
      await database.transact((sql) => ensureSigningKey(sql, keyring));
      return loadTeamStates();
    },
    () => log.warn('Postgres does not respond; the API retries'),
  );
  const requestLog = config.requestLog ? createRequestLog(database, log) : noRequestLog;
  const authFailures = createAuthFailures(database, log);
  const auditCounter = createAuditCounter(database, log, { windowMs: readWindowMs });
  const keys = createSigningKeys(database, keyring);
  const widgetTokens = createWidgetTokens(keys, config.publicBaseUrl);
  const { endpoints: served = endpoints } = outside;
  const services = {
    config,
    database,
    keyring,
    log,
    verificationTools: outside.verificationTools ?? createVerificationTools(egress),
    endpoints: served,
    tokens: createTokenService(database, keys, config.publicBaseUrl),
    widgetTokens,
    recipients: createRecipients(database, widgetTokens),
    origins: createOrigins(database, config.publicBaseUrl),
    limiter: createRateLimiter(database, log),
    addressBudgets: createAddressBudgets(config.unauthenticated),
    teamStates: createTeamStates(teamStates, loadTeamStates, log),
    cursors: createCursors(keyring.cursorKeys),
    requestLog,
    authFailures,
    deprecations: createDeprecationNotices(database, log),
    auditCounter,
    onAnswer: outside.onAnswer,
    local: outside.local,
  };
  const handle = createApp(services, served).callback();
  const listener = await listen(
    (request, response) => {
      handle(request, response).catch((error: unknown) => {
        log.error({ err: error }, 'a response could not be sent');
        response.destroy();
      });
    },
    config,
    config.publicBaseUrl,
  );
  return {
    url: `${config.tls ? 'https' : 'http'}://${config.host}:${String(listener.port)}`,
    database,
    async close() {
      await listener.close();
      await authFailures.stop();
      await auditCounter.stop();
      await requestLog.stop();
      await intakeOf(services).stats.close();
      await visitsOf(services).close();
      forgetEgress();
      await egress.close();
      await database.close();
    },
  };
}
