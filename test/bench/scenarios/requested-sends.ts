import type { MailServer } from '../../support/mail-server.ts';
import type { Machine } from '../../world/machine.ts';
import { mustComeTrue, percentile } from '../../world/moments.ts';
import type { Team } from '../../world/teams.ts';
import { callAtARate, callInALoop } from '../load.ts';
import type { Request } from '../load.ts';
import type { Report } from '../report.ts';
import { cpuBetween, cpuSecondsOfMachine } from '../stand.ts';

const quiet = { perSecond: 20, amount: 400 };
const full = { callers: 32, amount: 5_000 };
const patientMs = 120_000;

export interface Place {
  machine: Machine;
  team: Team;
  mail: MailServer;
  note(line: string): void;
}

/** A message with data that is sent on request, to contacts of the seed. */
export async function openRequests({ machine, team }: Pick<Place, 'machine' | 'team'>) {
  const objectives = await team.must('GET', '/v2/partner/objectives?page[size]=1');
  const { id } = await team.must('POST', '/v2/partner/templates', {
    ...{ name: 'Receipts', objective_ids: [objectives.data[0].id] },
  });
  const path = `/v2/partner/templates/${String(id)}`;
  const message = await team.must('POST', `${path}/messages`, {
    ...{ name: 'Receipt', channel: 'email', purpose: 'transactional' },
    ...{ from_email: 'hello@bank.example', trigger: { kind: 'on_request' } },
    subject: 'Receipt {{ data.order }}',
    body_html: '<p>Dear {{ contact.first_name | default: "customer" }}, we have your order.</p>',
    data_schema: { type: 'object', properties: { order: { type: 'string' } } },
  });
  await team.must('POST', `${path}/launch`);
  const { data } = await team.must('GET', '/v2/partner/contacts?page[size]=100');
  const ids: string[] = data.map((contact: { id: string }) => contact.id);
  let calls = 0;
  const request: Request = {
    method: 'POST',
    url: `${machine.bases[0] ?? ''}/v2/partner/messages/${String(message.id)}/sends`,
    headers: { Authorization: `Bearer ${team.token}`, 'Content-Type': 'application/json' },
    each: () => {
      calls += 1;
      const contact_id = ids[calls % ids.length];
      return { body: JSON.stringify({ contact_id, data: { order: `A-${String(calls)}` } }) };
    },
  };
  return request;
}

/** Sends at a quiet rate while a campaign is under way: from the answer to the mail server. */
export async function requestsDuringCampaign(
  request: Request,
  { mail, note }: Place,
  report: Report,
): Promise<void> {
  const answeredAtMs = new Map<string, number>();
  const before = mail.received.length;
  const { failed, p99Ms } = await callAtARate(request, quiet, (text) => {
    answeredAtMs.set(idOf(text), Date.now());
  });
  const waits = await waitsOf(mail, before, answeredAtMs);
  const campaign = mail.received.length - before - waits.length;
  note(`${String(waits.length)} requested sends, ${String(campaign)} of the campaign meanwhile`);
  report.add(
    'sends.requested.failed',
    { value: failed, unit: 'requests' },
    { of: 'value', atMost: 0 },
  );
  report.add('sends.requested.answer_p99', { value: p99Ms, unit: 'ms due → answer' });
  report.add('sends.requested.p50', { value: percentile(waits, 0.5), unit: 'ms accept → server' });
  report.add(
    'sends.requested.p99',
    { value: percentile(waits, 0.99), unit: 'ms accept → server' },
    { of: 'value', atMost: 250 },
  );
}

/** As fast as the callers go, with no campaign. */
export async function requestsAtFullRate(
  request: Request,
  { machine, mail }: Place,
  report: Report,
): Promise<void> {
  const answeredAtMs = new Map<string, number>();
  const before = mail.received.length;
  const used = cpuSecondsOfMachine(machine);
  const startedAtMs = Date.now();
  await callInALoop(request, full, (text) => {
    answeredAtMs.set(idOf(text), Date.now());
  });
  await waitsOf(mail, before, answeredAtMs);
  const spent = cpuBetween(used, cpuSecondsOfMachine(machine));
  const seconds = ((mail.received.at(-1)?.atMs ?? 0) - startedAtMs) / 1_000;
  report.add(
    'sends.requested.rate',
    { value: full.amount / seconds, unit: 'messages/s' },
    { of: 'value', atLeast: 500 },
  );
  for (const part of ['api', 'worker', 'postgres'] as const) {
    const value = spent[part] / (full.amount / 1_000);
    report.add(`sends.requested.cpu.${part}`, { value, unit: 'CPU-s per 1,000' });
  }
}

function idOf(text: string): string {
  const delivery: { id: string } = JSON.parse(text);
  return delivery.id;
}

/** Milliseconds from each answer until the mail server had the message. */
async function waitsOf(
  mail: MailServer,
  from: number,
  answeredAtMs: ReadonlyMap<string, number>,
): Promise<number[]> {
  const waits = new Map<string, number>();
  let read = from;
  await mustComeTrue(
    'the last requested send',
    () => {
      for (; read < mail.received.length; read += 1) {
        const { messageId = '', atMs = 0 } = mail.received[read] ?? {};
        const id = messageId.split('@')[0] ?? '';
        const answered = answeredAtMs.get(id);
        if (answered !== undefined) waits.set(id, Math.max(0, atMs - answered));
      }
      return waits.size >= answeredAtMs.size;
    },
    patientMs,
  );
  return [...waits.values()];
}
