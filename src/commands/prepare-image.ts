import '../app/start-api.ts';
import '../app/start-worker.ts';
import { readConfig } from '../platform/config.ts';
import { bundleWorkflows } from '../platform/temporal/bundle.ts';
import { runCommand } from './command.ts';

// Runs once while the image is built. Keeps the bundle of the workflows in ONWARD_CACHE_DIR, and in
// node_modules/.cache the compiled code of the packages that are imported here.
runCommand(async () => {
  await bundleWorkflows(readConfig({ development: true }).cacheDirectory);
});
