import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';

const pathOf = (name: string) =>
  fileURLToPath(new URL(`../../../workflows/${name}.ts`, import.meta.url));
const quiet = () => undefined;
const loud = (message: string) => process.stderr.write(`${message}\n`);

/** Prints the bundle of all workflows. The errors of the bundler go to stderr. */
async function printBundle(): Promise<void> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: pathOf('index'),
    workflowInterceptorModules: [pathOf('trace-context')],
    logger: { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: loud, error: loud },
  });
  process.stdout.write(code);
}

printBundle().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
