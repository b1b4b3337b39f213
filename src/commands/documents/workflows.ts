import { readFileSync, readdirSync } from 'node:fs';
import { laneKinds } from '../../app/lane-workflows.ts';
import { schedules } from '../../app/schedules.ts';
import { signalTargets } from '../../app/signal-targets.ts';
import { taskQueues } from '../../platform/temporal/task-queues.ts';
import { code, tableOf } from './table.ts';

const folder = new URL('../../../workflows/', import.meta.url);
const workflowPattern = /\/\*\*((?:(?!\*\/)[^])*)\*\/\nexport async function (\w+)\(/g;

interface Start {
  type: string;
  /** With names in angle brackets for what varies. */
  id: string;
  /** Undefined where a schedule starts the workflow. */
  signal?: string;
}

/** Type, id and signal of each workflow at its start. */
const starts: readonly Start[] = [
  ...Object.values(signalTargets).map(({ type, idOf, keyName, signal }) => {
    return { type, id: idOf(`<${keyName}>`), signal };
  }),
  ...laneKinds(1).map(({ type, idOf, signal }) => {
    return { type, id: idOf(0).replace(/0$/, '<lane>'), signal };
  }),
  // Only the ids of maintenance have two parts.
  ...schedules.map(({ workflowType, id }) => {
    return { type: workflowType, id: `${id.replace(/\/.*/, '/<task>')}-<start time>` };
  }),
];

/** Tables of docs/generated/workflows.md. */
export function workflowTables(): Record<string, string> {
  const described = readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .flatMap((file) => describedIn(readFileSync(new URL(file, folder), 'utf8')));
  const rows = described.flatMap(({ type, purpose, queues }) => {
    const ways = starts.filter((start) => start.type === type);
    if (ways.length === 0) return [];
    const signals = ways.flatMap(({ signal }) => (signal === undefined ? [] : [signal]));
    const ids = ways.map(({ id }) => id);
    return [[code(type), listOf(ids), listOf(signals), listOf(queues), purpose]];
  });
  const scheduled = schedules.map(({ id, workflowType, everyMinutes, note }) => {
    return [code(id), code(workflowType), `${String(everyMinutes)} minutes`, note];
  });
  return {
    workflows: tableOf(['Workflow type', 'Id', 'Signal', 'Activities on', 'Purpose'], rows),
    schedules: tableOf(['Schedule', 'Workflow type', 'Interval', 'Purpose'], scheduled),
  };
}

/** Workflows of a file, with their comment and the task queues of its activities. */
function describedIn(text: string) {
  const named = Object.values(taskQueues).filter((queue) => text.includes(`'${queue}'`));
  const queues = named.length > 0 ? named : [taskQueues.main];
  return [...text.matchAll(workflowPattern)].map(([, comment = '', type = '']) => {
    const purpose = comment.replaceAll(/\s*\n \* ?|\s+$/g, ' ').trim();
    return { type, purpose, queues };
  });
}

const listOf = (names: readonly string[]) => [...new Set(names)].map(code).join(', ');
