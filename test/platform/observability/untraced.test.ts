import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newKeyFile } from '../../../src/platform/auth/keyring.ts';
import { runEntry } from '../../commands/spawn.ts';
import { startTestApi } from '../../support/api.ts';
import type { TestApi } from '../../support/api.ts';
import { takePort } from '../../support/ports.ts';
import { startReceiver } from '../../support/receiver.ts';
import type { Receiver } from '../../support/receiver.ts';
import { startTestWorker } from '../../support/worker.ts';
import type { TestWorker } from '../../support/worker.ts';

// Tracing is off where no setting names a collector.
let api: TestApi;
let worker: TestWorker;
let receiver: Receiver;
const keys = JSON.stringify(newKeyFile());

beforeAll(async () => {
  api = await startTestApi({ ONWARD_KEYS: keys });
  receiver = await startReceiver();
  worker = await startTestWorker(api);
});
afterAll(async () => {
  await worker.close();
  await receiver.stop();
  await api.stop();
});

async function packagesWith(settings: Record<string, string>): Promise<string[]> {
  const entry = 'test/platform/observability/modules-fixture.ts';
  const { stdout, stderr } = await runEntry(entry, [], {
    ...{ DATABASE_URL: api.db.url, ONWARD_KEYS: keys, ...settings },
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

test('the SDK of OpenTelemetry is loaded only where a collector is named', async () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${String(await takePort())}`;
  // Loaded by the library of the metrics.
  const always = ['@opentelemetry/api'];
  expect(await packagesWith({})).toEqual(always);
  expect(await packagesWith({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true' })).toEqual(
    always,
  );
  expect(await packagesWith({ OTEL_EXPORTER_OTLP_ENDPOINT })).toContain('@opentelemetry/sdk-trace');
});

test('without tracing no context is stored or sent, not even that of a caller', async () => {
  const team = await api.newTeam();
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  const subscribed = await team.post('/v2/partner/webhook-subscriptions', {
    target_url: receiver.url,
    event_types: ['contact.created'],
  });
  expect(subscribed.status).toBe(201);
  await team.post('/v2/partner/contacts', { unique_id: 'untraced' }, { traceparent });
  const [received] = await receiver.waitFor(1);
  expect(received?.headers).not.toHaveProperty('traceparent');
  const stored = await api.db.look(
    (sql) => sql`select traceparent from webhook_events where team_id = ${team.id}`,
  );
  expect(stored).toEqual([{ traceparent: null }]);
});
