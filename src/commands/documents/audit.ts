import { actionOf, exemptionOf, exemptions, furtherActions } from '../../platform/http/audited.ts';
import type { Audit, Exemption } from '../../platform/http/audited.ts';
import type { Endpoint } from '../../platform/http/endpoint.ts';
import type { Operation } from '../../operations/operation-type.ts';
import { commandAudits } from '../admin/commands-audit.ts';
import { maintenanceId } from '../../../workflows/schedules.ts';
import { tasks } from '../../maintenance/tasks.ts';
import { code, tableOf } from './table.ts';

const isCounted = (audit: Audit) => typeof audit === 'object' && 'counted' in audit;

interface Declared {
  name: string;
  actions: readonly string[];
  exemption: Exemption | undefined;
}

function declarationsOf(endpoints: readonly Endpoint[], operations: readonly Operation[]) {
  const ofAudit = (name: string, audit: Audit): Declared => {
    const action = actionOf(audit);
    return {
      name: isCounted(audit) ? `${name} (counted)` : name,
      actions: action === undefined ? [] : [action],
      exemption: exemptionOf(audit),
    };
  };
  return [
    ...endpoints.flatMap(({ id, audit }) => (audit === undefined ? [] : [ofAudit(id, audit)])),
    ...operations.map(({ kind, audit }) => ofAudit(kind, audit)),
    ...Object.entries(commandAudits).map(([command, audit]): Declared => {
      const name = `admin -- ${command}`;
      return 'none' in audit
        ? { name, actions: [], exemption: audit.none }
        : { name, actions: audit, exemption: undefined };
    }),
    ...Object.entries(tasks).map(([name, { actions = [] }]): Declared => ({
      ...{ name: maintenanceId(name), actions, exemption: undefined },
    })),
  ];
}

/** Tables of docs/audit.md: every action, and every write without an event. */
export function auditTables(endpoints: readonly Endpoint[], operations: readonly Operation[]) {
  const declared = declarationsOf(endpoints, operations);
  const namesWith = (has: (one: Declared) => boolean) =>
    declared
      .filter(has)
      .map(({ name }) => code(name))
      .join(', ');
  const actions = [...new Set(declared.flatMap((one) => one.actions))].map((action) => [
    code(action),
    namesWith((one) => one.actions.includes(action)),
  ]);
  const further = Object.entries(furtherActions).map(([action, cause]) => [code(action), cause]);
  const exempt = Object.entries(exemptions).map(([name, reason]) => [
    reason,
    namesWith(({ exemption }) => exemption === name),
  ]);
  const byName = ([a = '']: string[], [b = '']: string[]) => (a < b ? -1 : 1);
  return {
    actions: tableOf(['Action', 'Recorded for'], [...actions, ...further].sort(byName)),
    'writes without an event': tableOf(['Reason', 'Calls'], exempt),
  };
}
