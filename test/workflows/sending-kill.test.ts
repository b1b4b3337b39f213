import { randomUUID } from 'node:crypto';
import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newKeyFile } from '../../src/platform/auth/keyring.ts';
import { endOf, startEntry, untilTrueWhileRunning } from '../commands/spawn.ts';
import { aReader, aSendingTemplate, deliveriesOf, enrolled } from '../journeys/a-send.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { environmentNames, required } from '../support/environment.ts';
import { startMailServer } from '../support/mail-server.ts';
import type { MailServer } from '../support/mail-server.ts';
import { takePort } from '../support/ports.ts';
import { newNamespace } from '../support/worker.ts';

let api: TestApi;
let team: TestTeam;
let mail: MailServer;
let settings: Record<string, string>;
const keys = JSON.stringify(newKeyFile());
const workers: ChildProcess[] = [];
const leaseSeconds = 6;

beforeAll(async () => {
  mail = await startMailServer();
  api = await startTestApi({ ONWARD_KEYS: keys });
  team = await api.newTeam();
  await team.patch('/v2/partner/team', { quiet_hours: null, frequency_cap: null });
  settings = {
    DATABASE_URL: api.db.url,
    TEMPORAL_ADDRESS: required(environmentNames.temporalAddress),
    TEMPORAL_NAMESPACE: await newNamespace(),
    ONWARD_KEYS: keys,
    PUBLIC_BASE_URL: 'http://onward.test',
    METRICS_PORT: String(await takePort()),
    ...{ HOST: '127.0.0.1', SFTP_ENABLED: 'false', LOG_LEVEL: 'silent', SMTP_URL: mail.url },
    SEND_LEASE_SECONDS: String(leaseSeconds),
    SENDING_EXAMPLE_DOMAINS: 'true',
  };
});
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await mail.stop();
  await api.stop();
});

function startWorkerProcess(): ChildProcess {
  const worker = startEntry('src/worker.ts', [], settings);
  workers.push(worker);
  return worker;
}

test('a killed worker loses no message; only a message in flight is sent twice, under one id', async () => {
  const template = await aSendingTemplate(team);
  const people = await Promise.all(
    Array.from({ length: 300 }, async () => {
      const email = `${randomUUID()}@example.com`;
      return { email, id: await aReader(team, { email }) };
    }),
  );
  const [held, others] = [people.slice(0, 10), people.slice(10)];
  const ids = (some: typeof people) => some.map(({ id }) => id);
  await enrolled(team, template, ids(held), { is_holdout: true });
  await enrolled(team, template, ids(others));

  mail.slowBy(40);
  const first = startWorkerProcess();
  await untilTrueWhileRunning(first, () => mail.received.length >= 60);
  first.kill('SIGKILL');
  await endOf(first);
  const killedAtMs = Date.now();
  expect(mail.received.length).toBeLessThan(others.length);
  mail.slowBy(0);
  const second = startWorkerProcess();

  const counts = async () => {
    const [row] = await api.db.look(
      (sql) => sql<{ sent: number; skipped: number; all: number; people: number }[]>`
        select count(*) filter (where status = 'sent')::int as sent,
          count(*) filter (where skip_reason = 'holdout')::int as skipped,
          count(*)::int as all, count(distinct contact_id)::int as people
        from message_deliveries where team_id = ${team.id}`,
    );
    return row;
  };
  await untilTrueWhileRunning(second, async () => (await counts())?.sent === others.length);
  // Each has one delivery, and each that was not sent names the reason.
  expect(await counts()).toEqual({ sent: 290, skipped: 10, all: 300, people: 300 });
  expect(await deliveriesOf(team, template.id)).toHaveLength(100);

  const byRecipient = new Map<string, typeof mail.received>();
  for (const one of mail.received) {
    byRecipient.set(one.recipient, [...(byRecipient.get(one.recipient) ?? []), one]);
  }
  expect([...byRecipient.keys()].sort()).toEqual(others.map(({ email }) => email).sort());
  const repeated = [...byRecipient.values()].filter((mails) => mails.length > 1);
  // At most what was under way: twenty connections, and answers of a moment.
  expect(repeated.length).toBeLessThanOrEqual(60);
  for (const [one, another, ...more] of repeated) {
    expect(more).toEqual([]);
    expect(another?.messageId).toBe(one?.messageId);
    expect(one?.atMs).toBeGreaterThan(killedAtMs - leaseSeconds * 1_000);
  }
  const queue = await api.db.look(
    (sql) => sql`select from message_sends where team_id = ${team.id}`,
  );
  expect(queue).toEqual([]);
});
