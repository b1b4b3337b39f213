import { readFileSync } from 'node:fs';
import { schedules } from '../../app/schedules.ts';
import { changedSignal, jobId } from '../../platform/jobs/shape.ts';
import { jobs } from '../../../workflows/jobs.ts';
import { lanes } from '../../../workflows/lanes.ts';
import { maintenance } from '../../../workflows/schedules.ts';
import { taskQueues } from '../../platform/temporal/task-queues.ts';
import { code, tableOf } from './table.ts';

const files = ['jobs', 'lanes', 'schedules'].map(
  (name) => new URL(`../../../workflows/${name}.ts`, import.meta.url),
);
/** The shape of a job, lane or schedule, with its comment. */
const pattern =
  /\/\*\*((?:(?!\*\/)[^])*)\*\/\nexport const \w+ = \{(?:(?!\n\} )[^])*?\n {2}workflow: '(\w+)'/g;

interface Start {
  type: string;
  /** With names in angle brackets for what varies. */
  id: string;
  /** Task queue of its activities. */
  queue: string;
  /** Undefined where a schedule starts the workflow. */
  signal?: string;
}

/** Type, id, queue and signal of each workflow. */
const starts: readonly Start[] = [
  ...jobs.map(({ workflow: type, round, ...shape }) => {
    const queue = round.taskQueue ?? taskQueues.main;
    return { type, id: jobId(shape, '<id>'), queue, signal: changedSignal };
  }),
  ...lanes.map(({ workflow: type, taskQueue: queue, ...shape }) => {
    return { type, id: jobId(shape, '<lane>'), queue, signal: changedSignal };
  }),
  // Only the ids of maintenance have two parts.
  ...schedules.map(({ workflowType: type, id }) => {
    const queue = type === maintenance.workflow ? taskQueues.maintenance : taskQueues.main;
    return { type, id: `${id.replace(/\/.*/, '/<task>')}-<start time>`, queue };
  }),
];

/** Tables of docs/generated/workflows.md. */
export function workflowTables(): Record<string, string> {
  const described = files
    .flatMap((file) => describedIn(readFileSync(file, 'utf8')))
    .sort((one, other) => (one.type < other.type ? -1 : 1));
  const rows = described.flatMap(({ type, purpose }) => {
    const ways = starts.filter((start) => start.type === type);
    if (ways.length === 0) return [];
    const signals = ways.flatMap(({ signal }) => (signal === undefined ? [] : [signal]));
    const [ids, queues] = [ways.map(({ id }) => id), ways.map(({ queue }) => queue)];
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

/** Workflows of a file, with their comment. */
function describedIn(text: string) {
  return [...text.matchAll(pattern)].map(([, comment = '', type = '']) => {
    return { type, purpose: comment.replaceAll(/\s*\n \* ?|\s+$/g, ' ').trim() };
  });
}

const listOf = (names: readonly string[]) => [...new Set(names)].map(code).join(', ');
