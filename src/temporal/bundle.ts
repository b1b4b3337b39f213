import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';
import type { WorkflowBundleWithSourceMap } from '@temporalio/worker';

/** Bundles the workflow code; about a second. One bundle serves every worker of a process. */
export function bundleWorkflows(): Promise<WorkflowBundleWithSourceMap> {
  const workflowsPath = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));
  const quiet = () => undefined;
  const loud = (message: string) => process.stderr.write(`${message}\n`);
  return bundleWorkflowCode({
    workflowsPath,
    logger: { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: loud, error: loud },
  });
}
