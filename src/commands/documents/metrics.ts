import { registry } from '../../platform/http/metrics.ts';
import { code, tableOf } from './table.ts';

/** Prefix of the service's own metrics; those of Node.js have other prefixes. */
const prefix = 'onward_';

/** The table of docs/generated/metrics.md: each metric of the service. */
export function metricTables(): Record<string, string> {
  const rows = registry
    .getMetricsAsArray()
    .filter(({ name }) => name.startsWith(prefix))
    .map((metric) => {
      const labels = 'labelNames' in metric ? metric.labelNames : [];
      const labelNames = Array.isArray(labels) ? labels.map((label) => code(String(label))) : [];
      return [
        code(metric.name),
        String(metric.type),
        unitOf(metric.name),
        labelNames.join(', '),
        metric.help,
      ];
    });
  return { metrics: tableOf(['Metric', 'Type', 'Unit', 'Labels', 'Purpose'], rows) };
}

/** By the conventions of Prometheus, the name of a metric ends with its unit. */
function unitOf(name: string): string {
  return /_(seconds|bytes)(?:_total)?$/.exec(name)?.[1] ?? 'count';
}
