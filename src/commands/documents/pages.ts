import { endpoints } from '../../app/endpoints.ts';
import { operations } from '../../operations/catalog.ts';
import { auditTables } from './audit.ts';
import { authorizationTables } from './authorization.ts';
import { errorSections, eventSections } from './catalogs.ts';
import { dashboard } from './dashboard.ts';
import { metricTables } from './metrics.ts';
import { reportTables } from './report-rules.ts';
import { schemaTables } from './schema-tables.ts';
import { settingTables } from './settings.ts';
import { workflowTables } from './workflows.ts';

/** Tables that the code determines, by the page of docs/ that has them. */
export const generatedTables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'docs/audit.md': auditTables(endpoints, operations),
  'docs/authorization.md': authorizationTables(endpoints, operations),
  'docs/generated/errors.md': errorSections(),
  'docs/generated/events.md': eventSections(),
  'docs/generated/metrics.md': metricTables(),
  'docs/generated/tables.md': schemaTables(),
  'docs/generated/workflows.md': workflowTables(),
  'docs/settings.md': settingTables(),
  ...reportTables,
};

/** Files that the code determines as a whole. */
export const generatedFiles: Readonly<Record<string, string>> = {
  'docs/monitoring/dashboard.json': dashboard(),
};
