import { ResourceBasedController } from '@temporalio/worker';
import type { WorkerOptions } from '@temporalio/worker';
import type { ActivitiesByQueue } from '../../activities/index.ts';
import { taskQueues } from '../platform/temporal/task-queues.ts';

/** Shares of the memory and of the processors of this machine or container. */
const targets = { targetMemoryUsage: 0.8, targetCpuUsage: 0.8 };

/** Open polls of one queue: the server says when more of them are useful, or fewer again. */
const polls = (minimum: number) =>
  ({ type: 'autoscaling', minimum, initial: minimum, maximum: 16 }) as const;

interface QueuesOptions {
  activities: ActivitiesByQueue;
  workflowBundle: { code: string };
  /** Lanes of webhooks that one process may run at the same time. */
  lanes: number;
}

/** A worker for each task queue, with the tasks that it runs at the same time; `main` runs workflows. */
export function queuesOfWorker({ activities, workflowBundle, lanes }: QueuesOptions) {
  // One for all, so that they share what is free.
  const controller = ResourceBasedController.create(targets);
  /** For activities that mostly wait: `minimumSlots` always, and more while the machine is idle. */
  const elastic = (minimumSlots: number, maximumSlots: number): Partial<WorkerOptions> => ({
    tuner: { controller, activityTaskSlotOptions: { minimumSlots, maximumSlots } },
  });
  const main: WorkerOptions = {
    taskQueue: taskQueues.main,
    workflowBundle,
    maxConcurrentActivityTaskExecutions: 20,
    maxConcurrentWorkflowTaskExecutions: 20,
    workflowTaskPollerBehavior: polls(4),
  };
  const others: WorkerOptions[] = [
    {
      taskQueue: taskQueues.lanes,
      maxConcurrentActivityTaskExecutions: lanes,
    },
    {
      taskQueue: taskQueues.journeys,
      maxConcurrentActivityTaskExecutions: 4,
    },
    {
      taskQueue: taskQueues.recoveries,
      // Receivers that hang must not hold up retries of others.
      ...elastic(200, 1_000),
    },
    {
      taskQueue: taskQueues.cohorts,
      maxConcurrentActivityTaskExecutions: 2,
    },
    {
      taskQueue: taskQueues.replays,
      maxConcurrentActivityTaskExecutions: 4,
    },
    {
      taskQueue: taskQueues.fetches,
      // Each has one part of its file in memory.
      ...elastic(10, 50),
    },
    {
      taskQueue: taskQueues.operations,
      // One works at a time; the others wait for their team's turn.
      ...elastic(20, 100),
    },
    {
      taskQueue: taskQueues.maintenance,
      // One that waits for a lock leaves room for the others.
      maxConcurrentActivityTaskExecutions: 4,
    },
  ];
  const withActivities = (options: WorkerOptions): WorkerOptions => ({
    ...options,
    activityTaskPollerBehavior: polls(2),
    activities: activities.get(options.taskQueue) ?? {},
  });
  return { main: withActivities(main), others: others.map(withActivities) };
}
