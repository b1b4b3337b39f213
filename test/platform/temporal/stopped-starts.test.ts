import { expect, test } from '@jest/globals';
import { Runtime } from '@temporalio/worker';
import { createLog } from '../../../src/platform/observability/log.ts';
import { installRuntime } from '../../../src/platform/temporal/install-runtime.ts';
import { untilTrue } from '../../support/eventually.ts';
import { useTestApi } from '../../support/use-test-api.ts';
import { newNamespace, startTestWorker } from '../../support/worker.ts';

const api = useTestApi();

/** Whether nothing holds the runtime of the SDK, which only then ends and can be installed again. */
function isReleased(): boolean {
  try {
    installRuntime(createLog('silent', 'worker'));
    return true;
  } catch {
    return false;
  }
}

test('a worker that is stopped while it starts leaves no connection to Temporal', async () => {
  const namespace = await newNamespace();
  for (let start = 0; start < 5; start += 1) {
    const worker = await startTestWorker(api, { namespace });
    await worker.close();
  }
  await untilTrue(isReleased, 20_000);
  expect(isReleased()).toBe(false);
  await Runtime.instance().shutdown();
});
