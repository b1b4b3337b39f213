import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { aSendingTemplate, deliveriesOf, enrolled } from '../journeys/a-send.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { untilTrue } from '../support/eventually.ts';
import { startMailServer } from '../support/mail-server.ts';
import type { MailServer } from '../support/mail-server.ts';
import { anUnboundedTeam } from '../support/sending-service.ts';
import { readersIn, sendDue, startSendingLanes } from './sending-lanes.ts';
import type { SendingLanes } from './sending-lanes.ts';

let api: TestApi;
let team: TestTeam;
let mail: MailServer;
let lanes: SendingLanes;

beforeAll(async () => {
  mail = await startMailServer();
  api = await startTestApi();
  team = await anUnboundedTeam(api);
  lanes = await startSendingLanes(api, {
    // One message of a lane at a time.
    smtp: { url: mail.url, requiresTls: false, connections: 4, family: undefined },
    ...{ retryScheduleMs: [0, 0, 0], probeScheduleMs: [0] },
  });
});
afterAll(async () => {
  await lanes.stop();
  await Promise.all([mail.stop(), api.stop()]);
});

test('a probe without a free slot in its lane is returned without an attempt, and another lane makes it', async () => {
  const [busy, other] = [1, 3];
  const template = await aSendingTemplate(team);
  const readers = { busy: await readersIn(team, busy, 2), other: await readersIn(team, other, 1) };
  await enrolled(team, template, [...readers.busy, ...readers.other]);
  await lanes.decide();
  const statuses = async (of: readonly string[]) =>
    (await deliveriesOf(team, template.id))
      .filter(({ contact_id: id }) => of.includes(id))
      .map(({ status }) => status);

  // The one place of a lane is taken by a message that the server is slow to answer.
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  mail.beforeAnswering(() => answered);
  const rounds = lanes.roundsOf(busy);
  await rounds.round();
  await untilTrue(() => mail.received.length === 1);
  mail.beforeAnswering(() => Promise.resolve());

  mail.refuse(() => 421);
  await lanes.roundsOf(other).round();
  await untilTrue(() => lanes.breakerState() === 'due');
  mail.refuse(() => undefined);
  await rounds.round();
  expect(lanes.breakerState()).toBe('probing');
  const ending = rounds.finish();
  expect(lanes.breakerState()).toBe('due');

  await sendDue(lanes.roundsOf(other));
  expect(lanes.breakerState()).toBe('closed');
  expect(await statuses(readers.other)).toEqual(['sent']);
  expect(mail.received).toHaveLength(2);
  answer();
  await ending;
  expect((await statuses(readers.busy)).sort()).toEqual(['queued', 'sent']);
  const queued = await api.db.look(
    (sql) => sql`select is_claimed, attempts from message_sends where team_id = ${team.id}`,
  );
  expect(queued).toEqual([{ is_claimed: false, attempts: 0 }]);
  await lanes.send();
  expect(await statuses(readers.busy)).toEqual(['sent', 'sent']);
});
