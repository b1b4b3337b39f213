/** A panel of the dashboard: its queries by the text of their legend. */
interface Panel {
  title: string;
  unit: 'short' | 's' | 'bytes' | 'reqps' | 'percentunit';
  queries: Readonly<Record<string, string>>;
}

const quantile = (share: number, metric: string, by = 'le', filter = '') =>
  `histogram_quantile(${String(share)}, sum by (${by}) (rate(${metric}_bucket${filter}[$__rate_interval])))`;

const rate = (metric: string, by: string, filter = '') =>
  `sum${by === '' ? '' : ` by (${by})`} (rate(${metric}${filter}[$__rate_interval]))`;

const requests = 'onward_http_request_seconds';
const reads = '{operation=~"(get|list).+"}';
const writes = '{operation!~"(get|list).+"}';

const rows: Readonly<Record<string, readonly Panel[]>> = {
  'Is everything all right?': [
    {
      title: 'Age of the oldest work that is due',
      unit: 's',
      queries: {
        'deliveries and signals': 'max(onward_outbox_age_seconds)',
        'realtime cohorts': 'max(onward_lane_oldest_due_seconds{kind="cohort"})',
        'sums of insights': 'max(onward_rollup_age_seconds)',
      },
    },
    {
      title: 'Requests that fail (5xx)',
      unit: 'percentunit',
      queries: {
        share: `${rate(`${requests}_count`, '', '{status="5xx"}')} / ${rate(`${requests}_count`, '')}`,
      },
    },
    {
      title: 'Providers that take no messages',
      unit: 'short',
      queries: { '{{channel}}': 'max by (channel) (onward_provider_circuit_open)' },
    },
  ],
  API: [
    {
      title: 'Requests by status',
      unit: 'reqps',
      queries: { '{{status}}': rate(`${requests}_count`, 'status') },
    },
    {
      title: 'Duration of requests',
      unit: 's',
      queries: {
        'reads, p50': quantile(0.5, requests, 'le', reads),
        'reads, p99': quantile(0.99, requests, 'le', reads),
        'writes, p50': quantile(0.5, requests, 'le', writes),
        'writes, p99': quantile(0.99, requests, 'le', writes),
      },
    },
    {
      title: 'Busiest operations',
      unit: 'reqps',
      queries: { '{{operation}}': `topk(8, ${rate(`${requests}_count`, 'operation')})` },
    },
    {
      title: 'Refused for credentials or scopes',
      unit: 'reqps',
      queries: { '{{reason}}': rate('onward_auth_failures_total', 'reason') },
    },
  ],
  Webhooks: [
    {
      title: 'Attempts by outcome',
      unit: 'reqps',
      queries: { '{{outcome}}': rate('onward_webhook_attempts_total', 'outcome') },
    },
    {
      title: 'Duration of attempts',
      unit: 's',
      queries: {
        p50: quantile(0.5, 'onward_webhook_attempt_seconds'),
        p99: quantile(0.99, 'onward_webhook_attempt_seconds'),
      },
    },
    {
      title: 'Connections to receivers and providers',
      unit: 'short',
      queries: {
        '{{state}}': 'sum by (state) (onward_egress_connections)',
        limit: 'sum(onward_egress_connections_limit)',
        'wait ({{limit}})': 'sum by (limit) (onward_egress_waiting_requests)',
      },
    },
  ],
  'Messages and files': [
    {
      title: 'Messages by channel and outcome',
      unit: 'reqps',
      queries: {
        '{{channel}} {{outcome}}': rate('onward_send_attempts_total', 'channel, outcome'),
      },
    },
    {
      title: 'Files in Postgres',
      unit: 'bytes',
      queries: { bytes: 'max(onward_file_bytes)' },
    },
    {
      title: 'Files fetched from servers',
      unit: 'reqps',
      queries: { '{{outcome}}': rate('onward_file_fetches_total', 'outcome') },
    },
  ],
  Schedules: [
    {
      title: 'Late schedules',
      unit: 's',
      queries: { '{{schedule}}': 'max by (schedule) (onward_schedule_late_seconds)' },
    },
    {
      title: 'Runs that were left out',
      unit: 'short',
      queries: {
        '{{schedule}}': 'max by (schedule) (increase(onward_schedule_missed_runs_total[1h]))',
      },
    },
  ],
  'Temporal (TEMPORAL_METRICS_PORT)': [
    {
      title: 'Wait of activities for a worker, p95',
      unit: 's',
      queries: {
        '{{task_queue}}': quantile(
          0.95,
          'temporal_activity_schedule_to_start_latency_seconds',
          'le, task_queue',
        ),
      },
    },
    {
      title: 'Tasks at work',
      unit: 'short',
      queries: {
        '{{task_queue}} {{worker_type}}':
          'sum by (task_queue, worker_type) (temporal_worker_task_slots_used)',
      },
    },
    {
      title: 'Failures',
      unit: 'short',
      queries: {
        'workflow tasks of {{workflow_type}}': rate(
          'temporal_workflow_task_execution_failed_total',
          'workflow_type',
        ),
        'activities {{activity_type}}': rate(
          'temporal_activity_execution_failed_total',
          'activity_type',
        ),
      },
    },
  ],
  'What is refused or left out': [
    {
      title: 'Requests',
      unit: 'reqps',
      queries: {
        'without credentials': rate('onward_unauthenticated_refusals_total', ''),
        'connections ({{limit}})': rate('onward_http_connections_refused_total', 'limit'),
        'SFTP connections ({{limit}})': rate('onward_sftp_connections_refused_total', 'limit'),
        'codes and confirmations ({{limit}})': rate('onward_notices_refused_total', 'limit'),
        'lost opens and clicks ({{reason}})': rate('onward_tracked_visits_lost_total', 'reason'),
        'beyond a quota of files': rate('onward_file_quota_refusals_total', ''),
      },
    },
    {
      title: 'Connections',
      unit: 'short',
      queries: {
        'SFTP clients': 'sum(onward_sftp_connections)',
        'resets a second ({{protocol}})': rate('onward_connections_reset_total', 'protocol'),
      },
    },
    {
      title: 'Rows that are set aside',
      unit: 'short',
      queries: { '{{loop}}': 'max by (loop) (onward_parked_rows)' },
    },
    {
      title: 'Posts that waited too long for a connection',
      unit: 'reqps',
      queries: { abandoned: rate('onward_egress_abandoned_waits_total', '') },
    },
    {
      title: 'Missing in the request log, and sums that differed',
      unit: 'short',
      queries: {
        'not written in time': rate('onward_request_log_dropped_total', ''),
        'left out': rate('onward_request_log_sampled_out_total', ''),
        'sums that differed': rate('onward_rollup_drift_total', ''),
      },
    },
  ],
  Processes: [
    {
      title: 'Lag of the event loop, p99',
      unit: 's',
      queries: { '{{job}} {{instance}}': 'nodejs_eventloop_lag_p99_seconds' },
    },
    {
      title: 'Memory',
      unit: 'bytes',
      queries: { '{{job}} {{instance}}': 'process_resident_memory_bytes' },
    },
    {
      title: 'Connections to Postgres',
      unit: 'short',
      queries: { '{{state}}': 'sum by (state) (onward_database_connections)' },
    },
  ],
};

const columns = 24;
const panelHeight = 8;

/** The Grafana dashboard of docs/monitoring/dashboard.json. */
export function dashboard(): string {
  let y = 0;
  let id = 0;
  const panels = Object.entries(rows).flatMap(([title, members]) => {
    const width = Math.floor(columns / members.length);
    const heading = {
      ...{ id: (id += 1), type: 'row', title, collapsed: false, panels: [] },
      gridPos: { x: 0, y, w: columns, h: 1 },
    };
    const placed = members.map((panel, at) => ({
      ...panelOf(panel),
      id: (id += 1),
      gridPos: { x: at * width, y: y + 1, w: width, h: panelHeight },
    }));
    y += 1 + panelHeight;
    return [heading, ...placed];
  });
  const source = { name: 'source', label: 'Prometheus', type: 'datasource', query: 'prometheus' };
  return `${JSON.stringify(
    {
      ...{ uid: 'onward', title: 'Onward', tags: ['onward'], schemaVersion: 39, editable: true },
      ...{ refresh: '30s', time: { from: 'now-6h', to: 'now' }, timezone: 'browser' },
      templating: { list: [source] },
      panels,
    },
    undefined,
    2,
  )}\n`;
}

function panelOf({ title, unit, queries }: Panel) {
  const datasource = { type: 'prometheus', uid: '${source}' };
  return {
    ...{ type: 'timeseries', title, datasource },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
    targets: Object.entries(queries).map(([legendFormat, expr], at) => ({
      refId: String.fromCodePoint(65 + at),
      ...{ datasource, expr, legendFormat },
    })),
  };
}
