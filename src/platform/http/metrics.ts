import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** Figures of this process in Prometheus form, at /metrics of METRICS_PORT. */
export const registry = new Registry();

// Its timer wakes the process this often, in ms: at the default 10 an idle process is never idle.
collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });

export const requestSeconds = new Histogram({
  name: 'onward_http_request_seconds',
  help: 'Duration of API requests by operation and status class',
  labelNames: ['operation', 'status'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  registers: [registry],
});

export const connectionRefusals = new Counter({
  name: 'onward_http_connections_refused_total',
  help: 'Connections that were closed at once, since the process or their address had too many',
  labelNames: ['limit'],
  registers: [registry],
});

export const connectionResets = new Counter({
  name: 'onward_connections_reset_total',
  help: 'Connections that clients ended with a reset, by protocol (http or sftp)',
  labelNames: ['protocol'],
  registers: [registry],
});

export const sftpConnections = new Gauge({
  name: 'onward_sftp_connections',
  help: 'Connections of SFTP clients to this process',
  registers: [registry],
});

export const sftpRefusals = new Counter({
  name: 'onward_sftp_connections_refused_total',
  help: 'SFTP connections that were closed, since the process, their network, or their credential or team had too many',
  labelNames: ['limit'],
  registers: [registry],
});

export const unauthenticatedRefusals = new Counter({
  name: 'onward_unauthenticated_refusals_total',
  help: 'Requests refused because their address sent too many without valid credentials',
  registers: [registry],
});

export const databaseConnections = new Gauge({
  name: 'onward_database_connections',
  help: 'Connections to Postgres by state',
  labelNames: ['state'],
  registers: [registry],
});

export const egressConnections = new Gauge({
  name: 'onward_egress_connections',
  help: 'Connections to receivers and providers by state',
  labelNames: ['state'],
  registers: [registry],
});

export const egressConnectionsLimit = new Gauge({
  name: 'onward_egress_connections_limit',
  help: 'Connections to receivers and providers that the process may have',
  registers: [registry],
});

export const egressWaiting = new Gauge({
  name: 'onward_egress_waiting_requests',
  help: 'Requests that wait for a connection, by the limit: of the process, or of an owner to one origin',
  labelNames: ['limit'],
  registers: [registry],
});

export const egressAbandonedWaits = new Counter({
  name: 'onward_egress_abandoned_waits_total',
  help: 'Requests that were not sent, since they waited too long for a connection',
  registers: [registry],
});

export const deliveryAttempts = new Counter({
  name: 'onward_webhook_attempts_total',
  help: 'Webhook attempts by outcome (delivered or an error code) and by kind (attempt or probe)',
  labelNames: ['outcome', 'by'],
  registers: [registry],
});

export const deliverySeconds = new Histogram({
  name: 'onward_webhook_attempt_seconds',
  help: 'Duration of webhook attempts',
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
  registers: [registry],
});

export const sendAttempts = new Counter({
  name: 'onward_send_attempts_total',
  help: 'Messages sent to providers, by channel and outcome (sent, or an error code)',
  labelNames: ['channel', 'outcome'],
  registers: [registry],
});

export const isolatedRows = new Counter({
  name: 'onward_isolated_rows_total',
  help: 'Rows that a background loop could not process, by loop and outcome: failed (their final state) or parked (left out for a while)',
  labelNames: ['loop', 'outcome'],
  registers: [registry],
});

export const parkedRows = new Gauge({
  name: 'onward_parked_rows',
  help: 'Rows that a background loop leaves out now since it could not process them, by loop',
  labelNames: ['loop'],
  registers: [registry],
});

export const visitsLost = new Counter({
  name: 'onward_tracked_visits_lost_total',
  help: 'Opens and clicks of tracked e-mails that were not recorded: too many waited (overload), or they could not be stored (unavailable, error)',
  labelNames: ['reason'],
  registers: [registry],
});

export const noticeRefusals = new Counter({
  name: 'onward_notices_refused_total',
  help: 'Codes and confirmations that were asked for beyond a daily limit (address, network, team)',
  labelNames: ['channel', 'limit'],
  registers: [registry],
});

export const sendingHalted = new Gauge({
  name: 'onward_provider_circuit_open',
  help: 'Whether messages of a channel wait until their provider takes them again: 1 or 0',
  labelNames: ['channel'],
  registers: [registry],
});

export const authFailures = new Counter({
  name: 'onward_auth_failures_total',
  help: 'Requests that were refused for their credentials or scopes, by error code',
  labelNames: ['reason'],
  registers: [registry],
});

export const fileBytes = new Gauge({
  name: 'onward_file_bytes',
  help: 'Bytes of uploads, files by SFTP and exports of all teams in Postgres',
  registers: [registry],
});

export const fileFetches = new Counter({
  name: 'onward_file_fetches_total',
  help: 'Attempts to fetch a file from a file source: `fetched`, or the code of the failure',
  labelNames: ['outcome'],
  registers: [registry],
});

export const fileQuotaRefusals = new Counter({
  name: 'onward_file_quota_refusals_total',
  help: 'Uploads, files by SFTP and exports that were refused or ended by the quota of their team',
  registers: [registry],
});

export const requestLogDropped = new Counter({
  name: 'onward_request_log_dropped_total',
  help: 'Requests that are missing in the request log, since it could not be written fast enough',
  registers: [registry],
});

export const requestLogLeftOut = new Counter({
  name: 'onward_request_log_sampled_out_total',
  help: 'Successful requests that the request log leaves out, beyond 200 a second and process',
  registers: [registry],
});

export const outboxAge = new Gauge({
  name: 'onward_outbox_age_seconds',
  help: 'Age of the oldest webhook delivery or outbox entry that is due and unclaimed',
  registers: [registry],
});

export const rollupAge = new Gauge({
  name: 'onward_rollup_age_seconds',
  help: 'Longest time that changed hours of a team are not summed; insights read their rows meanwhile',
  registers: [registry],
});

export const rollupDrift = new Counter({
  name: 'onward_rollup_drift_total',
  help: 'Hours whose sums differed from their rows, and were corrected',
  registers: [registry],
});

export const laneAge = new Gauge({
  name: 'onward_lane_oldest_due_seconds',
  help: 'For how long the oldest due row of a kind of lanes waits: journeys, or changes of realtime cohorts',
  labelNames: ['kind'],
  registers: [registry],
});

export const scheduleLateness = new Gauge({
  name: 'onward_schedule_late_seconds',
  help: 'Time for which a Temporal Schedule has started no run, beyond its interval; read by workers',
  labelNames: ['schedule'],
  registers: [registry],
});

export const scheduleMissedRuns = new Counter({
  name: 'onward_schedule_missed_runs_total',
  help: 'Runs that a Temporal Schedule left out, since they were more than ten minutes late',
  labelNames: ['schedule'],
  registers: [registry],
});
