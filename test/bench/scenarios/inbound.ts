import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Team } from '../../world/teams.ts';
import { startChild } from '../child.ts';
import { callAtARate, callInALoop } from '../load.ts';
import type { Request } from '../load.ts';
import type { Report } from '../report.ts';
import { cpuBetween } from '../stand.ts';
import type { Stand } from '../stand.ts';

const callers = 50;
const seconds = 4;
const steady = { perSecond: 500, amount: 5_000 };
const notifications = 3_000;

/** Intake of callbacks: the simplest kind against a bare insert, a steady rate, and the fullest. */
export async function inbound(stand: Stand, report: Report): Promise<void> {
  const { base, machine, rounds } = stand;
  const raw = startChild('test/bench/peers/raw-http.ts', { DATABASE_URL: machine.databaseUrl });
  try {
    const { url: rawUrl } = await raw.ask({ ask: 'url' });
    const team = await stand.newTeam();
    const receiver = await newReceiver(team, { receiver_kind: 'generic_hmac' });
    const ours = signedCallback(`${base}${receiver.path}`, receiver.secret);
    const bare = signedCallback(`${rawUrl}/callback/${team.id}/${receiver.id}`, receiver.secret);

    const figures = { ours: [] as number[], limit: [] as number[], cpu: [] as number[] };
    for (const request of [bare, ours]) await callInALoop(request, { callers, seconds: 3 });
    for (let round = 0; round < rounds; round += 1) {
      const bound = await callInALoop(bare, { callers, seconds });
      const before = stand.cpu();
      const own = await callInALoop(ours, { callers, seconds });
      const { all } = cpuBetween(before, stand.cpu());
      figures.limit.push(bound.perSecond);
      figures.ours.push(own.perSecond);
      figures.cpu.push(all / ((own.perSecond * seconds) / 1_000));
      stand.note(
        `inbound round ${String(round + 1)}: ${String(own.perSecond)} beside ${String(bound.perSecond)}`,
      );
    }
    report.add(
      'inbound.generic_hmac',
      { value: figures.ours, unit: 'callbacks/s', limit: figures.limit },
      { of: 'value', atLeast: 2_000 },
    );
    report.add('inbound.generic_hmac.cpu', {
      value: figures.cpu,
      unit: 'CPU-s per 1,000',
    });

    const acks: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const { failed, p99Ms } = await callAtARate(ours, steady, () => undefined);
      if (failed > 0) throw new Error(`${String(failed)} callbacks were not taken`);
      acks.push(p99Ms);
    }
    report.add(
      'inbound.ack_p99_at_500_per_second',
      { value: acks, isWorst: true, unit: 'ms' },
      { of: 'value', atMost: 50 },
    );
    await emailA(stand, report, rawUrl);
  } finally {
    raw.stop();
  }
}

/**
 * The fullest callback: a notification of a topic, proven by its certificate, read from the
 * provider's form, linked to a message and a contact, and matched by one subscription.
 */
async function emailA(stand: Stand, report: Report, rawUrl: string): Promise<void> {
  const { machine, rounds, sinkUrl } = stand;
  const api = startChild('test/bench/peers/api-with-own-topic.ts', machine.environment);
  try {
    const { url, topicArn } = await api.ask({ ask: 'url' });
    const team = await stand.newTeam();
    await team.must('POST', '/v2/partner/webhook-subscriptions', {
      target_url: sinkUrl,
      event_types: ['message.delivered'],
    });
    const contact = await team.must('POST', '/v2/partner/contacts', { email: 'a@example.com' });
    const template = await team.must('POST', '/v2/partner/templates', { name: 'Welcome' });
    const messages = `/v2/partner/templates/${String(template.id)}/messages`;
    const message = await team.must('POST', messages, { name: 'Hello', channel: 'email' });
    const receiver = await newReceiver(team, {
      receiver_kind: 'email_a',
      verification: { topic_arns: [topicArn] },
    });
    const bare = signedCallback(`${rawUrl}/callback/${team.id}/${receiver.id}`, receiver.secret);
    const figures = { ours: [] as number[], limit: [] as number[], p99: [] as number[] };
    for (let round = 0; round <= rounds; round += 1) {
      const bound = await callInALoop(bare, { callers, amount: notifications });
      const made: { headers: Record<string, string>; body: string }[] = await api.ask({
        ...{ ask: 'notifications', amount: notifications, url: receiver.url },
        ids: { do_message_id: message.id, do_contact_id: contact.id },
      });
      const request: Request = {
        method: 'POST',
        url: `${String(url)}${receiver.path}`,
        headers: {},
        each: () => made.pop() ?? { headers: {}, body: '' },
      };
      const own = await callInALoop(request, { callers, amount: notifications });
      // The first round warms up: certificates, code and plans.
      if (round === 0) continue;
      figures.limit.push(bound.perSecond);
      figures.ours.push(own.perSecond);
      figures.p99.push(own.p99Ms);
    }
    report.add('inbound.email_a_native', {
      value: figures.ours,
      unit: 'callbacks/s',
      limit: figures.limit,
    });
    report.add('inbound.email_a_native.p99', { value: figures.p99, isWorst: true, unit: 'ms' });
  } finally {
    api.stop();
  }
}

async function newReceiver(team: Team, body: object) {
  const made = await team.must('POST', '/v2/partner/incoming-webhook-receivers', body);
  const url = String(made.receive_url);
  return {
    ...{ id: String(made.id), url, path: new URL(url).pathname },
    secret: String(made.secrets.relay_secret),
  };
}

/** A callback of its own each time, signed as Standard Webhooks say. */
function signedCallback(url: string, secret: string): Request {
  const webhook = new Webhook(secret);
  return {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    each() {
      const id = randomUUID();
      const at = new Date();
      const body = JSON.stringify({
        kind: 'generic_hmac',
        event_type: 'card.activated',
        event_id: id,
        occurred_at: at.toISOString(),
      });
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': webhook.sign(id, at, body),
      };
      return { headers, body };
    },
  };
}
