import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { at } from '../campaigns/a-template.ts';
import { aReader, aSendingTemplate, deliveriesOf, enrolled } from '../journeys/a-send.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { eventually, untilTrue } from '../support/eventually.ts';
import type { MailServer } from '../support/mail-server.ts';
import { anUnboundedTeam, startSendingService } from '../support/sending-service.ts';
import type { SendingService } from '../support/sending-service.ts';

let service: SendingService;
let api: TestApi;
let team: TestTeam;
let mail: MailServer;
const connections = 8;
const people = 200;

beforeAll(async () => {
  service = await startSendingService({ SMTP_CONNECTIONS: String(connections) });
  ({ api, mail } = service);
  team = await anUnboundedTeam(api);
});
afterAll(() => service.stop());

const laneOf = (contactId: string) => Math.floor(parseInt(contactId.slice(-2), 16) / 64);

/** Readers of whom each lane has some. */
async function aReaderOfEachLane(): Promise<string[]> {
  const found = new Map<number, string>();
  while (found.size < 4) {
    const id = await aReader(team);
    found.set(laneOf(id), id);
  }
  return [...found.values()];
}

test('no send begins later than a second after the response to a pause; a resume sends the rest once', async () => {
  const template = await aSendingTemplate(team);
  const readers = await Promise.all(
    Array.from({ length: people }, async () => {
      const email = `${randomUUID()}@example.com`;
      return { email, id: await aReader(team, { email }) };
    }),
  );
  const addresses = new Set(readers.map(({ email }) => email));
  const sent = () => mail.received.filter(({ recipient }) => addresses.has(recipient));
  mail.slowBy(50);
  const ids = readers.map(({ id }) => id);
  await enrolled(team, template, ids);
  await untilTrue(() => sent().length >= people / 10);

  expect((await team.post(at(template.id, '/pause'))).status).toBe(200);
  const answeredAtMs = Date.now();
  expect(sent().length).toBeLessThan(people - connections);

  // The next sends of every lane show that none sent more of this.
  mail.slowBy(0);
  const other = await aSendingTemplate(team);
  await enrolled(team, other, await aReaderOfEachLane());
  await eventually(
    () => deliveriesOf(team, other.id),
    (found) => found.length === 4 && found.every(({ status }) => status === 'sent'),
  );
  expect(sent().filter(({ atMs }) => atMs > answeredAtMs + 1_000)).toEqual([]);
  const left = await eventually(
    () =>
      api.db.look(
        (sql) => sql<{ is_claimed: boolean; waits: boolean }[]>`
          select is_claimed, next_attempt_at > now() as waits from message_sends
          where team_id = ${team.id}`,
      ),
    (rows) => rows.every(({ is_claimed: isClaimed, waits }) => waits && !isClaimed),
  );
  const [{ waiting } = { waiting: 0 }] = await api.db.look(
    (sql) => sql<{ waiting: number }[]>`
      select count(*)::int as waiting from journeys
      where template_id = ${template.id} and was_due_when_paused`,
  );
  // Queued, or not yet decided: the rest is all there.
  expect(left.length + waiting).toBe(people - sent().length);

  expect((await team.post(at(template.id, '/resume'))).status).toBe(200);
  await untilTrue(() => sent().length >= people);
  const again = await aSendingTemplate(team);
  await enrolled(team, again, await aReaderOfEachLane());
  await eventually(
    () => deliveriesOf(team, again.id),
    (found) => found.length === 4 && found.every(({ status }) => status === 'sent'),
  );
  expect(
    sent()
      .map(({ recipient }) => recipient)
      .sort(),
  ).toEqual([...addresses].sort());
});
