import '../app/start-api.ts';
import '../app/start-worker.ts';
import { readConfig } from '../platform/config.ts';
import { bundleWorkflows } from '../platform/temporal/bundle.ts';

// Runs once while the image is built. Keeps the bundle of the workflows in ONWARD_CACHE_DIR, and in
// node_modules/.cache the compiled code of the packages that are imported here.
void bundleWorkflows(readConfig({ development: true }).cacheDirectory);
