import { callInALoop } from '../load.ts';
import type { Request } from '../load.ts';
import type { Report } from '../report.ts';
import { cpuBetween, postContact } from '../stand.ts';
import type { Stand } from '../stand.ts';
import type { Team } from '../../world/teams.ts';

const callers = 32;
const amount = 4_000;
const warmUp = 500;
/** Contacts whose writes take turns, so that few requests meet at one row. */
const contactCount = 500;

interface Write {
  name: string;
  request: Request;
  atLeast: number;
}

/** Single writes that partners make often, by 32 callers, with a subscription to each event. */
export async function writes(stand: Stand, report: Report): Promise<void> {
  const team = await stand.newTeam();
  await team.must('POST', '/v2/partner/webhook-subscriptions', {
    target_url: stand.sinkUrl,
    event_types: ['*'],
  });
  for (const { name, request, atLeast } of await writesOf(stand, team)) {
    await callInALoop(request, { callers, amount: warmUp });
    // Autovacuum does so within a minute: plans that were made for empty tables are made again.
    await stand.machine.database.read((sql) => sql`analyze`, { deadlineMs: 60_000 });
    const figures = { perSecond: [] as number[], p99Ms: [] as number[], cpu: [] as number[] };
    for (let round = 0; round < stand.rounds; round += 1) {
      const before = stand.cpu();
      const { perSecond, p99Ms } = await callInALoop(request, { callers, amount });
      const cpu = cpuBetween(before, stand.cpu()).all / (amount / 1_000);
      figures.perSecond.push(perSecond);
      figures.p99Ms.push(p99Ms);
      figures.cpu.push(cpu);
      stand.note(
        `writes.${name} round ${String(round + 1)}: ${perSecond.toFixed(0)}/s, p99 ${String(p99Ms)} ms, ${cpu.toFixed(2)} CPU-s per 1,000`,
      );
    }
    report.add(
      `writes.${name}`,
      { value: figures.perSecond, unit: 'requests/s' },
      { of: 'value', atLeast },
    );
    report.add(`writes.${name}.p99`, { value: figures.p99Ms, isWorst: true, unit: 'ms' });
    // Without the deliveries that are still waiting.
    report.add(`writes.${name}.cpu`, { value: figures.cpu, unit: 'CPU-s per 1,000' });
  }
}

async function writesOf({ base, rounds }: Stand, team: Team): Promise<Write[]> {
  const headers = {
    authorization: `Bearer ${team.token}`,
    'content-type': 'application/json',
  };
  const contacts: string[] = [];
  const accounts: string[] = [];
  for (let at = 0; at < contactCount; at += 1) {
    const { id } = await team.must('POST', '/v2/partner/contacts', {
      email: `writes-${String(at)}@example.com`,
    });
    contacts.push(String(id));
    const account = await team.must('POST', `/v2/partner/contacts/${String(id)}/accounts`, {
      kind: 'deposit',
      opened_at: '2026-01-01T00:00:00Z',
      balance_cents: 0,
    });
    accounts.push(String(account.id));
  }
  const objective = await team.must('POST', '/v2/partner/objectives', {
    ...{ name: 'Writes', key: 'writes', is_repeatable: true },
  });
  const template = await launchTemplate(team, String(objective.id));
  // Each may be enrolled once.
  const recipients: string[] = [];
  const amountOfRecipients = warmUp + rounds * amount;
  await callInALoop(postContact(base, [team]), { callers, amount: amountOfRecipients }, (text) =>
    recipients.push(JSON.parse(text).id),
  );
  let turn = 0;
  const varied = (each: (turn: number) => { path?: string; body: object }) => () => {
    turn += 1;
    const { path, body } = each(turn);
    return { ...(path !== undefined && { path }), body: JSON.stringify(body) };
  };
  const idAt = (ids: readonly string[], at: number) => ids[at % ids.length] ?? '';
  return [
    {
      name: 'engagement_event',
      request: {
        ...{ method: 'POST', url: `${base}/v2/partner/engagement-events`, headers },
        each: varied(() => ({ body: { events: [{ kind: 'widget.submitted' }] } })),
      },
      atLeast: 1_500,
    },
    {
      name: 'patch_contact',
      request: {
        ...{ method: 'PATCH', url: base, headers },
        each: varied((at) => ({
          path: `/v2/partner/contacts/${idAt(contacts, at)}`,
          body: { first_name: `Robin ${String(at)}` },
        })),
      },
      atLeast: 1_200,
    },
    {
      name: 'account_balance',
      request: {
        ...{ method: 'PATCH', url: base, headers },
        each: varied((at) => ({
          path: `/v2/partner/accounts/${idAt(accounts, at)}`,
          body: { balance_cents: at },
        })),
      },
      atLeast: 1_200,
    },
    {
      name: 'completion',
      request: {
        ...{ method: 'POST', headers },
        url: `${base}/v2/partner/objectives/${String(objective.id)}/completions`,
        each: varied((at) => ({
          body: { contact_id: idAt(contacts, at), unique_id: `writes-${String(at)}` },
        })),
      },
      atLeast: 1_200,
    },
    {
      name: 'enrollment',
      request: {
        ...{ method: 'POST', headers },
        url: `${base}/v2/partner/templates/${template}/enrollments`,
        each: () => ({ body: JSON.stringify({ contact_id: recipients.pop() }) }),
      },
      // Also two events, two deliveries, and the start of the journey by a lane.
      atLeast: 500,
    },
  ];
}

/** A template whose one message waits for a month. */
async function launchTemplate(team: Team, objectiveId: string): Promise<string> {
  const path = '/v2/partner/templates';
  const { id } = await team.must('POST', path, {
    ...{ name: 'Writes', objective_ids: [objectiveId], entry: 'manual' },
  });
  await team.must('POST', `${path}/${String(id)}/messages`, {
    ...{ name: 'Later', channel: 'email', from_email: 'hello@bank.example' },
    ...{ subject: 'Hello', body_html: '<p>Hello</p>', trigger: { kind: 'delay', delay: 'P30D' } },
  });
  await team.must('POST', `${path}/${String(id)}/launch`);
  return String(id);
}
