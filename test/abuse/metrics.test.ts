import { expect, test } from '@jest/globals';
import type { Database } from '../../src/platform/database/client.ts';
import { readiness } from '../../src/meta/readiness.ts';
import { serveMonitoring } from '../../src/meta/monitoring.ts';
import { useTestApi } from '../support/use-test-api.ts';

const api = useTestApi();

test('a stranger cannot read the metrics of operators', async () => {
  for (const path of ['/metrics', '/metrics/', '/metrics?x', '//metrics', '/v2/metrics']) {
    const { status, body } = await api.call('GET', path);
    expect([path, status, body.errors[0].code]).toEqual([path, 404, 'route_not_found']);
  }
  const monitoring = await serveMonitoring(
    { ...api.config, host: '127.0.0.1', metricsPort: 0 },
    { database: api.db.database },
  );
  try {
    const base = `http://127.0.0.1:${String(monitoring.port)}`;
    expect(await (await fetch(`${base}/metrics`)).text()).toContain('onward_outbox_age_seconds');
  } finally {
    await monitoring.close();
  }
});

test('repeated readiness requests do not keep Postgres busy', async () => {
  const { database } = api.db;
  let calls = 0;
  const counted: Database = {
    ...database,
    read: (work, options) => {
      calls += 1;
      return database.read(work, options);
    },
    transact: (work, options) => {
      calls += 1;
      return database.transact(work, options);
    },
  };
  const reports = await Promise.all(Array.from({ length: 500 }, () => readiness(counted)));
  expect(new Set(reports.map(({ status }) => status))).toEqual(new Set(['ok']));
  expect(calls).toBe(1);
});
