import { startProviderServer } from '../../support/provider-server.ts';
import type { AcceptedMessage, ProviderServer } from '../../support/provider-server.ts';
import type { Machine } from '../../world/machine.ts';
import { mustComeTrue, pause } from '../../world/moments.ts';
import type { Team } from '../../world/teams.ts';
import type { Report } from '../report.ts';

const patientMs = 300_000;
const patient = { deadlineMs: patientMs };
/** Shorter windows would show the bursts of claims. */
const windowMs = 1_000;
const faults = [
  { name: 'answers_500', answer: 500 },
  { name: 'hangs', answer: 'nothing' },
  { name: 'rejects_credentials', answer: 401 },
] as const;

/** A campaign of text messages of a team whose first provider fails: how soon the second one takes over. */
export async function failOver(machine: Machine, team: Team, report: Report): Promise<void> {
  const people = await makeReachable(machine, team);
  for (const { name, answer } of faults) {
    const [first, second] = [await startProviderServer(), await startProviderServer()];
    const ids: string[] = [];
    for (const [priority, { url }] of [first, second].entries()) {
      const { id } = await team.must('POST', '/v2/partner/sending-providers', {
        ...{ channel: 'sms', kind: 'sms_b', name, url, secret: 'key', priority: priority + 1 },
        senders: ['+14155550199'],
      });
      ids.push(String(id));
    }
    await sendToAll(machine, team);
    await mustComeTrue(
      'a third of the campaign',
      () => first.received.length > people / 3,
      patientMs,
    );
    const brokenAtMs = Date.now();
    first.answer(answer);
    const accepted = () => [...first.received, ...second.received];
    await mustComeTrue(
      'the rest of the campaign',
      () => idsOf(accepted()).size === people,
      patientMs,
    );
    const startedAtMs = first.received[0]?.atMs ?? brokenAtMs;
    const before = rateIn(first.received, startedAtMs, brokenAtMs);
    const recoveredAtMs = recovery(second.received, before * 0.8, brokenAtMs);
    report.add(
      `sends.failover.${name}`,
      { value: (recoveredAtMs - brokenAtMs) / 1_000, unit: 's until 80 % of the rate' },
      { of: 'value', atMost: 10 },
    );
    report.add(`sends.failover.${name}.rate_before`, { value: before, unit: 'messages/s' });
    report.add(
      `sends.failover.${name}.repeated`,
      { value: accepted().length - people, unit: 'messages' },
      { of: 'value', atMost: 0 },
    );
    await isStored(machine, team);
    for (const id of ids) await team.must('DELETE', `/v2/partner/sending-providers/${id}`);
    for (const server of [first, second]) server.stop();
  }
}

const idsOf = (messages: readonly AcceptedMessage[]) => new Set(messages.map(({ id }) => id));

function rateIn(messages: ProviderServer['received'], fromMs: number, toMs: number): number {
  const count = messages.filter(({ atMs }) => atMs >= fromMs && atMs < toMs).length;
  return count / ((toMs - fromMs) / 1_000);
}

/** The end of the first window whose rate is at least this. */
function recovery(messages: ProviderServer['received'], rate: number, fromMs: number): number {
  const lastMs = messages.at(-1)?.atMs ?? Infinity;
  for (let startMs = fromMs; startMs < lastMs; startMs += windowMs / 5) {
    if (rateIn(messages, startMs, startMs + windowMs) >= rate) return startMs + windowMs;
  }
  return Infinity;
}

/** All contacts take text messages; returns their number. */
async function makeReachable({ database }: Machine, team: Team): Promise<number> {
  const { count } = await database.read(
    (sql) => sql`
      update contacts
      set phone = '+1555' || lpad(substr(unique_id, 6), 8, '0'), status = 'active',
        consents = jsonb_set(consents, '{sms,status}', '"subscribed"')
      where team_id = ${team.id}`,
    patient,
  );
  return count;
}

async function sendToAll({ database }: Machine, team: Team): Promise<void> {
  const objectives = await team.must('GET', '/v2/partner/objectives?page[size]=1');
  const { id } = await team.must('POST', '/v2/partner/templates', {
    ...{ name: 'Texts', objective_ids: [objectives.data[0].id] },
  });
  const path = `/v2/partner/templates/${String(id)}`;
  await team.must('POST', `${path}/messages`, {
    ...{ name: 'Hello', channel: 'sms', purpose: 'servicing', body: 'Hello' },
  });
  const { template_version: version } = await team.must('POST', `${path}/launch`);
  await database.read(
    (sql) => sql`
      insert into journeys
        (team_id, template_id, template_version, contact_id, enrolled_via, next_due_at)
      select team_id, ${String(id)}, ${Number(version)}, id, 'api', now()
      from contacts where team_id = ${team.id}`,
    patient,
  );
}

/** Waits until no message is queued. */
async function isStored({ database }: Machine, team: Team): Promise<void> {
  for (;;) {
    const rows = await database.read(
      (sql) => sql`select from message_sends where team_id = ${team.id} limit 1`,
      patient,
    );
    if (rows.length === 0) return;
    await pause(250);
  }
}
