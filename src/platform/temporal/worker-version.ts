import type { WorkerDeploymentOptions } from '@temporalio/worker';
import type { Config } from '../config.ts';

/**
 * Options of a worker that takes part in Worker Versioning; none without a version. Workflows move to
 * the current version at their next task, but for those that are pinned.
 */
export function workerVersioning({ temporalVersion: version }: Pick<Config, 'temporalVersion'>): {
  workerDeploymentOptions?: WorkerDeploymentOptions;
} {
  if (!version) return {};
  return {
    workerDeploymentOptions: {
      version,
      useWorkerVersioning: true,
      defaultVersioningBehavior: 'AUTO_UPGRADE',
    },
  };
}
