import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLog } from '../../src/platform/observability/log.ts';
import { createOutcomeWriter } from '../../src/messaging/send-queue/outcome-writer.ts';
import { connectDatabase } from '../../src/platform/database/client.ts';
import type { Database } from '../../src/platform/database/client.ts';
import { isUnavailable } from '../../src/platform/database/failures.ts';
import { aSendingTemplate, deliveriesOf, enrolled, mailboxOf } from '../journeys/a-send.ts';
import { eventTypesOf, subscribe } from '../support/recorded-events.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { anUnboundedTeam } from '../support/sending-service.ts';
import { readersIn, sendDue, startSendingLanes } from './sending-lanes.ts';
import type { SendingLanes } from './sending-lanes.ts';

let api: TestApi;
let team: TestTeam;
let lanes: SendingLanes;
/** Writes outcomes, on connections with an application name of their own. */
let writer: Database;
const applicationName = 'writes-outcomes';

beforeAll(async () => {
  api = await startTestApi();
  team = await anUnboundedTeam(api);
  await subscribe(api, team);
  lanes = await startSendingLanes(api);
  writer = connectDatabase({ url: api.db.url, maxConnections: 1, applicationName });
});
afterAll(async () => {
  await Promise.all([lanes.stop(), writer.close()]);
  await api.stop();
});

test('an outcome that cannot be stored affects no other; its message fails, and is not sent again', async () => {
  const lane = 2;
  const template = await aSendingTemplate(team);
  const readers = await readersIn(team, lane, 4);
  const [refused = ''] = readers.slice(1);
  await enrolled(team, template, readers);
  await lanes.decide();
  await api.db.look((sql) =>
    sql.unsafe(
      `alter table message_deliveries add constraint "refused for a test"
       check (status <> 'sent' or contact_id <> '${refused}') not valid`,
    ),
  );
  await sendDue(lanes.roundsOf(lane));
  const found = await eventually(
    () => deliveriesOf(team, template.id),
    (all) => all.filter(({ status }) => status === 'sent').length === readers.length - 1,
  );
  const failed = found.find(({ status }) => status !== 'sent');
  expect(failed).toMatchObject({
    ...{ contact_id: refused, status: 'failed', bounce: { code: 'outcome_not_stored' } },
  });
  expect(await eventTypesOf(api, team, failed.id)).toEqual(['message.failed']);
  const queued = await api.db.look(
    (sql) => sql`select id, attempts from message_sends where team_id = ${team.id}`,
  );
  expect(queued).toEqual([]);
  await sendDue(lanes.roundsOf(lane));
  expect(await mailboxOf(team)).toHaveLength(readers.length);
});

/** A place in the queue whose row is held until it is let go. */
async function heldSend() {
  const send = { team_id: team.id, id: randomUUID() };
  const now = new Date().toISOString();
  const times = { delivery_inserted_at: now, next_attempt_at: now };
  const row = { ...send, ...times, lane: 0, channel: 'email' };
  await api.db.look((sql) => sql`insert into message_sends ${sql(row)}`);
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const { id } = send;
  const isHeld = new Promise<void>((begun, failed) => {
    api.db.database
      .transact(
        async (sql) => {
          await sql`select from message_sends where team_id = ${team.id} and id = ${id} for update`;
          begun();
          await held;
        },
        { deadlineMs: 30_000 },
      )
      .catch(failed);
  });
  await isHeld;
  return { send, letGo };
}

/** Ends the connection that waits to write, as a server does that goes away. */
async function endWriter() {
  const [{ pid } = { pid: 0 }] = await eventually(waitingWriters, ({ length }) => length > 0);
  await api.db.look((sql) => sql`select pg_terminate_backend(${pid})`);
  return pid;
}
const waitingWriters = () =>
  api.db.look(
    (sql) => sql<{ pid: number }[]>`
      select pid from pg_stat_activity
      where application_name = ${applicationName} and wait_event_type = 'Lock'
        and datname = current_database()`,
  );

test('an outcome during an outage of Postgres is stored after the outage', async () => {
  const { send, letGo } = await heldSend();
  const writeOutcome = createOutcomeWriter({
    database: writer,
    log: createLog('silent', 'worker'),
    sending: { leaseMs: 600_000 },
  });
  const written = writeOutcome({
    ...send,
    putBack: { at: new Date().toISOString(), is_attempt: true, is_passed: false },
  });
  const lost = await endWriter();
  await eventually(waitingWriters, ([one]) => one !== undefined && one.pid !== lost);
  letGo();
  await written;
  const rows = await api.db.look(
    (sql) => sql`select attempts from message_sends where id = ${send.id}`,
  );
  expect(rows).toEqual([{ attempts: 1 }]);
});

test('an outcome that Postgres does not store within a quarter of the lease is abandoned, and its send retried', async () => {
  const { send, letGo } = await heldSend();
  const writeOutcome = createOutcomeWriter({
    database: writer,
    log: createLog('silent', 'worker'),
    sending: { leaseMs: 4 },
  });
  const outcomes = [send, { ...send, id: randomUUID() }];
  const all = Promise.allSettled(outcomes.map((outcome) => writeOutcome(outcome)));
  await endWriter();
  for (const result of await all) {
    expect(result.status === 'rejected' && isUnavailable(result.reason)).toBe(true);
  }
  letGo();
  const rows = await api.db.look(
    (sql) => sql`select attempts from message_sends where id = ${send.id}`,
  );
  expect(rows).toEqual([{ attempts: 0 }]);
});
