import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';

// Prints the bundle of all workflows. The errors of the bundler go to stderr.
const quiet = () => undefined;
const loud = (message: string) => process.stderr.write(`${message}\n`);
const { code } = await bundleWorkflowCode({
  workflowsPath: fileURLToPath(new URL('../../../workflows/index.ts', import.meta.url)),
  logger: { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: loud, error: loud },
});
process.stdout.write(code);
