import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { serveMonitoring } from '../../src/meta/monitoring.ts';
import { readConfig } from '../../src/platform/config.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { aSendingTemplate, deliveriesOf, enrolled } from '../journeys/a-send.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { eventually, untilTrue } from '../support/eventually.ts';
import { startMailServer } from '../support/mail-server.ts';
import type { MailServer } from '../support/mail-server.ts';
import { anUnboundedTeam } from '../support/sending-service.ts';
import { startTestWorker } from '../support/worker.ts';
import { readersIn, startSendingLanes } from './sending-lanes.ts';

let api: TestApi;
let team: TestTeam;
let mail: MailServer;

beforeAll(async () => {
  mail = await startMailServer();
  api = await startTestApi({ MAILBOX_SENDS: 'false' });
  team = await anUnboundedTeam(api);
});
afterAll(async () => {
  await Promise.all([mail.stop(), api.stop()]);
});

test('without a provider and a mailbox a message waits, unsent, until a provider is configured', async () => {
  const template = await aSendingTemplate(team);
  await enrolled(team, template, await readersIn(team, 0, 1));
  const without = await startSendingLanes(api, { retryScheduleMs: [0], probeScheduleMs: [0] });
  await without.decide();
  for (let round = 0; round < 3; round += 1) await without.send();
  expect((await deliveriesOf(team, template.id)).map(({ status }) => status)).toEqual(['queued']);
  const waiting = await api.db.look(
    (sql) => sql`select attempts from message_sends where team_id = ${team.id}`,
  );
  expect(waiting).toEqual([{ attempts: 0 }]);
  await without.stop();

  const smtp = { url: mail.url, requiresTls: false, connections: 1, family: undefined };
  const configured = await startSendingLanes(api, { smtp });
  await untilTrue(async () => {
    await configured.send();
    return (await deliveriesOf(team, template.id)).every(({ status }) => status === 'sent');
  });
  expect(mail.received).toHaveLength(1);
  await configured.stop();
});

test('readiness names the channels whose messages wait', async () => {
  const { sending, http } = api.config;
  const checksWith = async (changes: Partial<typeof sending>) => {
    const monitoring = await serveMonitoring(
      { host: '127.0.0.1', metricsPort: 0, http, sending: { ...sending, ...changes } },
      { database: api.db.database },
    );
    const reply = await fetch(`http://127.0.0.1:${String(monitoring.port)}/readyz`);
    const { checks }: any = await reply.json();
    await monitoring.close();
    return [reply.status, checks.sending];
  };
  expect(await checksWith({})).toEqual([200, 'no provider for email, sms, push']);
  const smtp = { url: mail.url, requiresTls: false, connections: 1, family: undefined };
  expect(await checksWith({ smtp })).toEqual([200, 'no provider for sms, push']);
  expect(await checksWith({ usesMailbox: true })).toEqual([200, undefined]);
});

test('a worker in production says at its start which channels have no provider', async () => {
  const { sending } = readConfig(
    { development: false },
    {
      DATABASE_URL: 'postgres://app:a-long-password-for-tests@127.0.0.1/onward',
      PUBLIC_BASE_URL: 'https://onward.example.com',
      TRUSTED_PROXIES: '1',
      ONWARD_KEYS: '{}',
    },
  );
  const lines: string[] = [];
  const log = createLog('warn', 'worker', { write: (line) => lines.push(line) });
  const worker = await startTestWorker({ ...api, config: { ...api.config, sending } }, { log });
  await eventually(() => Promise.resolve(worker.isPolling()), Boolean);
  await worker.close();
  const said = lines.map((line) => JSON.parse(line)).filter(({ channels }) => channels);
  expect(said).toMatchObject([
    {
      level: 'warn',
      channels: ['email', 'sms', 'push'],
      msg: 'no provider is configured; messages of these channels wait',
    },
  ]);
});
