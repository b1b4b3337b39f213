import { setWorkflowOptions, workflowInfo } from '@temporalio/workflow';

/**
 * Keeps each run of a workflow that ends within hours on the version of the workers that it began
 * with. The server refuses this of workers without a version, where it has no effect.
 */
export function pinToVersion<Arguments extends unknown[], Result>(
  workflow: (...given: Arguments) => Promise<Result>,
): void {
  setWorkflowOptions(() => {
    // The build id of a worker without a version is made up, and its deployment has no name.
    const isVersioned = Boolean(workflowInfo().currentDeploymentVersion?.deploymentName);
    return isVersioned ? { versioningBehavior: 'PINNED' } : {};
  }, workflow);
}
