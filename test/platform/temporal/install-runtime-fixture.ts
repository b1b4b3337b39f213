import { createLog } from '../../../src/platform/observability/log.ts';
import { installRuntime } from '../../../src/platform/temporal/install-runtime.ts';

// Serves the metrics of the SDK at the host and port of its arguments, for install-runtime.test.ts.
const [host = '', port = ''] = process.argv.slice(2);
try {
  installRuntime(createLog('silent', 'worker'), { host, temporalMetricsPort: Number(port) });
  console.log('served');
} catch (error) {
  console.log(error instanceof Error ? error.message : error);
}
process.exit(0);
