import { seedContacts } from '../../../src/commands/seed/queries.ts';
import { startMailServer } from '../../support/mail-server.ts';
import type { MailServer } from '../../support/mail-server.ts';
import { openMachine } from '../../world/machine.ts';
import type { Machine } from '../../world/machine.ts';
import { mustComeTrue, pause } from '../../world/moments.ts';
import { newTeam } from '../../world/teams.ts';
import type { Team } from '../../world/teams.ts';
import { cpuSecondsOf } from '../cpu.ts';
import type { Report } from '../report.ts';
import type { Stand } from '../stand.ts';
import { failOver } from './provider-failover.ts';
import { openRequests, requestsAtFullRate, requestsDuringCampaign } from './requested-sends.ts';
import type { Place } from './requested-sends.ts';

const people = 20_000;
/** Templates of the campaign that is under way while messages are sent on request. */
const campaigns = 5;
const patient = { deadlineMs: 600_000 };
/** Messages that come so long after a pause would be seen. */
const watchMs = 3_000;

/**
 * E-mails by SMTP to a mail server on this machine, from the end of the enrollment to the last
 * stored outcome, with every rule in force: condition, consent, suppression, cap, quiet hours and
 * pace; then a pause in the middle of them.
 */
export async function sends(stand: Stand, report: Report): Promise<void> {
  const { rounds, note, nodeArguments } = stand;
  const mail = await startMailServer();
  const machine = await openMachine({
    ...{ name: 'bench-sends', apis: 1, workers: 1, nodeArguments, onNotice: note },
    settings: { LOG_LEVEL: 'error', SMTP_URL: mail.url },
  });
  try {
    const team = await newTeam(machine);
    await machine.database.read((sql) => seedContacts(sql, team.id, 1, people), patient);
    await machine.database.read((sql) => sql`vacuum (analyze) contacts, accounts`, patient);
    await team.must('PATCH', '/v2/partner/team', {
      quiet_hours: hoursFromNow(),
      frequency_cap: { per_day: 100, per_week: 700 },
    });
    const figures: Awaited<ReturnType<typeof sendToAll>>[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const figure = await sendToAll(machine, team, mail);
      figures.push(figure);
      note(`sends round ${String(round + 1)}: ${JSON.stringify(figure)}`);
    }
    const of = (name: keyof (typeof figures)[number]) => figures.map((one) => one[name]);
    report.add(
      'sends.smtp',
      { value: of('perSecond'), unit: 'messages/s' },
      { of: 'value', atLeast: 500 },
    );
    for (const part of ['worker', 'postgres', 'temporal', 'mail_server'] as const) {
      report.add(`sends.cpu.${part}`, { value: of(part), unit: 'CPU-s per 1,000' });
    }
    report.add(
      'sends.repeated',
      {
        value: mail.received.length - new Set(mail.received.map(messageIdOf)).size,
        unit: 'messages',
      },
      { of: 'value', atMost: 0 },
    );
    await pauseInTheMiddle(machine, team, mail, { note, report });
    await sendOnRequest({ machine, team, mail, note }, report);
    await failOver(machine, team, report);
  } finally {
    await machine.close({ keepLogs: false });
    await mail.stop();
  }
}

const messageIdOf = ({ messageId }: MailServer['received'][number]) => messageId;

/** One message to each, and what that takes of each part: the mail server is in this process. */
async function sendToAll(machine: Machine, team: Team, mail: MailServer) {
  const used = () => ({
    worker: cpuSecondsOf(machine.workers.map(({ pid }) => pid)),
    postgres: cpuSecondsOf([machine.postgres.pid]),
    temporal: cpuSecondsOf([machine.temporal.pid]),
    mail_server: (process.cpuUsage().user + process.cpuUsage().system) / 1_000_000,
  });
  const template = await aTemplate(team);
  const before = { received: mail.received.length, used: used() };
  await enroll(machine, team, template);
  // The lanes see the journeys from here on: one statement wrote them all.
  const startedAt = performance.now();
  await isDone(machine, team, template.id);
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = used();
  const sent = mail.received.length - before.received;
  const perThousand = (part: keyof typeof after) =>
    (after[part] - before.used[part]) / (sent / 1_000);
  return {
    sent,
    perSecond: sent / seconds,
    worker: perThousand('worker'),
    postgres: perThousand('postgres'),
    temporal: perThousand('temporal'),
    mail_server: perThousand('mail_server'),
  };
}

/** From the request for a pause until its answer, and until the last message that comes. */
async function pauseInTheMiddle(
  machine: Machine,
  team: Team,
  mail: MailServer,
  { note, report }: { note: (line: string) => void; report: Report },
): Promise<void> {
  const template = await aTemplate(team);
  const before = mail.received.length;
  await enroll(machine, team, template);
  const isUnderWay = () => mail.received.length > before + people / 10;
  await mustComeTrue('the tenth message', isUnderWay, patient.deadlineMs);
  const askedAtMs = Date.now();
  await team.must('POST', `/v2/partner/templates/${template.id}/pause`);
  const answeredMs = Date.now() - askedAtMs;
  const atAnswer = mail.received.length;
  await pause(watchMs);
  const after = mail.received.length - atAnswer;
  note(`paused after ${String(atAnswer - before)} messages, ${String(after)} came after it`);
  const lastMs = (mail.received.at(-1)?.atMs ?? 0) - askedAtMs;
  report.add('sends.pause_answer', { value: answeredMs, unit: 'ms' });
  report.add('sends.after_pause', { value: after, unit: 'messages' });
  report.add(
    'sends.pause_to_last_send',
    { value: Math.max(answeredMs, lastMs), unit: 'ms' },
    { of: 'value', atMost: 2_000 },
  );
  await team.must('POST', `/v2/partner/templates/${template.id}/expire`);
}

/** Transactional sends, ahead of a campaign of 100,000 messages and by themselves. */
async function sendOnRequest(place: Place, report: Report): Promise<void> {
  const { machine, team, mail } = place;
  const request = await openRequests(place);
  const before = mail.received.length;
  const templates: { id: string; version: number }[] = [];
  for (let count = 0; count < campaigns; count += 1) {
    const template = await aTemplate(team);
    templates.push(template);
    await enroll(machine, team, template);
  }
  const isUnderWay = () => mail.received.length > before + people / 10;
  await mustComeTrue('the begin of the campaign', isUnderWay, patient.deadlineMs);
  await requestsDuringCampaign(request, place, report);
  for (const { id } of templates) await team.must('POST', `/v2/partner/templates/${id}/expire`);
  await mustComeTrue(
    'the end of the campaign',
    () =>
      machine.database.read(async (sql) => {
        const rows = await sql`
          (select from message_sends where team_id = ${team.id} limit 1) union all
          (select from journeys where team_id = ${team.id} and next_due_at is not null limit 1)`;
        return rows.length === 0;
      }),
    patient.deadlineMs,
  );
  await requestsAtFullRate(request, place, report);
}

/** An hour that is far off in each zone of the contacts, who are in America. */
function hoursFromNow() {
  const hour = (shift: number) =>
    `${String((new Date().getUTCHours() + shift) % 24).padStart(2, '0')}:00`;
  return { start: hour(6), end: hour(7) };
}

async function aTemplate(team: Team): Promise<{ id: string; version: number }> {
  const objectives = await team.must('GET', '/v2/partner/objectives?page[size]=1');
  const { id } = await team.must('POST', '/v2/partner/templates', {
    ...{ name: 'Bench', objective_ids: [objectives.data[0].id], send_rate_per_minute: 60_000 },
  });
  const path = `/v2/partner/templates/${String(id)}`;
  await team.must('POST', `${path}/messages`, {
    ...{ name: 'Hello', channel: 'email', from_email: 'hello@bank.example' },
    subject: 'Hello {{ contact.first_name }}',
    body_html:
      '<h1>Welcome</h1><p>Dear {{ contact.first_name | default: "customer" }}, <a href="{{ journey.link_url }}">go on</a></p>',
    condition: { field: 'contact.locale', op: 'present' },
  });
  const { template_version: version } = await team.must('POST', `${path}/launch`);
  return { id: String(id), version: Number(version) };
}

async function enroll(
  { database }: Machine,
  team: Team,
  template: { id: string; version: number },
): Promise<void> {
  await database.read(
    (sql) => sql`
      insert into journeys
        (team_id, template_id, template_version, contact_id, enrolled_via, next_due_at)
      select team_id, ${template.id}, ${template.version}, id, 'api', now()
      from contacts where team_id = ${team.id}`,
    patient,
  );
}

/** Whether every journey has its delivery, and none is queued; the query is cheap. */
async function isDone({ database }: Machine, team: Team, templateId: string): Promise<void> {
  for (;;) {
    const [row] = await database.read(
      (sql) => sql<[{ waits: boolean }]>`
        select exists (select from message_sends where team_id = ${team.id})
          or exists (select from journeys where team_id = ${team.id}
            and template_id = ${templateId} and next_due_at is not null) as waits`,
      patient,
    );
    if (!row.waits) break;
    await pause(250);
  }
  const [row] = await database.read(
    (sql) => sql<[{ decided: number; queued: number }]>`
      select count(*)::int as decided, count(*) filter (where status = 'queued')::int as queued
      from message_deliveries where template_id = ${templateId}`,
    patient,
  );
  if (row.decided < people || row.queued > 0) throw new Error('some were never decided or sent');
}
