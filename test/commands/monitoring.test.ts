import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';
import { dashboard } from '../../src/commands/documents/dashboard.ts';
import { registry } from '../../src/platform/http/metrics.ts';

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

const alerts: { groups: { rules: Rule[] }[] } = parse(
  readFileSync('docs/monitoring/alerts.yaml', 'utf8'),
);
const rules = alerts.groups.flatMap((group) => group.rules);
const page: { panels: { targets?: { expr: string }[] }[] } = JSON.parse(dashboard());
const panelQueries = page.panels
  .flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  // Grafana replaces it by a duration.
  .map((expr) => expr.replaceAll('$__rate_interval', '5m'));
const queries = [...rules.map(({ expr }) => expr), ...panelQueries];

/** Names of https://docs.temporal.io/references/sdk-metrics, with unit and `_total` as they are served. */
const temporalMetrics = [
  'temporal_activity_execution_failed_total',
  'temporal_activity_schedule_to_start_latency_seconds',
  'temporal_request_failure_total',
  'temporal_worker_task_slots_used',
  'temporal_workflow_task_execution_failed_total',
];

/** Names of the metrics in a query; a part that is no PromQL is an error. */
function metricsIn(query: string): string[] {
  const names: string[] = [];
  parser.parse(query).iterate({
    enter({ type, from, to }) {
      if (type.isError) throw new Error(`no PromQL at ${String(from)}: ${query}`);
      if (type.name === 'Identifier') names.push(query.slice(from, to));
    },
  });
  return names.map((name) => name.replace(/_(bucket|count)$/, ''));
}

test('queries of alerts and dashboard are PromQL over metrics that exist', () => {
  const known = new Set([
    ...['up', ...temporalMetrics],
    ...registry.getMetricsAsArray().map(({ name }) => name),
  ]);
  expect(queries.length).toBeGreaterThan(50);
  expect(queries.flatMap(metricsIn).filter((name) => !known.has(name))).toEqual([]);
});

test('every metric of the service is in an alert or a panel', () => {
  const used = new Set(queries.flatMap(metricsIn));
  const own = registry.getMetricsAsArray().filter(({ name }) => name.startsWith('onward_'));
  expect(own.map(({ name }) => name).filter((name) => !used.has(name))).toEqual([]);
});

test('a query that is no PromQL is noticed', () => {
  expect(() => metricsIn('sum(rate(up[5m]) >')).toThrow('no PromQL');
});

test('every alert has its section in the runbook, and every section its alert', () => {
  const runbook = readFileSync('docs/runbook.md', 'utf8');
  const sections = [...runbook.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
  expect(rules.map(({ alert }) => alert)).toEqual(sections);
  for (const { alert, expr, labels, annotations } of rules) {
    expect(annotations.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
    expect(annotations.summary).not.toBe('');
    const word = labels.severity === 'page' ? 'Page' : 'Ticket';
    const query = expr.trim().replaceAll(/\s+/g, ' ');
    expect(runbook).toContain(`## ${alert}\n\n**${word}.** \`${query}\``);
    expect(['page', 'ticket']).toContain(labels.severity);
  }
});
