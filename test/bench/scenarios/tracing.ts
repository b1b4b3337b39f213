import { openMachine } from '../../world/machine.ts';
import type { Machine } from '../../world/machine.ts';
import { comesTrue } from '../../world/moments.ts';
import { newTeam } from '../../world/teams.ts';
import type { Team } from '../../world/teams.ts';
import { startChild } from '../child.ts';
import type { Child } from '../child.ts';
import { callInALoop } from '../load.ts';
import type { Request } from '../load.ts';
import type { Report } from '../report.ts';
import { cpuBetween, cpuSecondsOfMachine, postContact } from '../stand.ts';
import type { WebhooksOptions } from './webhooks.ts';

const callers = 32;
const amount = 12_000;
const small = 600;
const deliveredWithinMs = 60_000;

/** A service with its team, traced or not. */
interface Side {
  machine: Machine;
  team: Team;
  contact: string;
}

/** Requests per second, and CPU seconds of all parts per 1,000 until the last webhook has come. */
interface Figures {
  rates: number[];
  cpu: number[];
}

/**
 * A service that exports a span of every request, transaction and attempt, and one that does so for
 * a request in ten, compared in turn with one that exports none.
 */
export async function tracing(options: WebhooksOptions, report: Report): Promise<void> {
  const { isSmall, note } = options;
  const sink = startChild('test/bench/sink.ts');
  const collector = startChild('test/bench/peers/collector.ts');
  const sides: Side[] = [];
  try {
    const { url: target } = await sink.ask({ ask: 'url' });
    const { url } = await collector.ask({});
    const every = { OTEL_EXPORTER_OTLP_ENDPOINT: url };
    const sampled = {
      ...every,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
    };
    for (const [name, settings] of Object.entries({ every, sampled, none: {} })) {
      sides.push(await openSide(`bench-traces-${name}`, target, settings, options));
    }
    const plan = { sides, sink, amount: isSmall ? small : amount };
    for (const variant of variants) await compare(plan, variant, options, report);
    const { exports, bytes } = await collector.ask({});
    if (exports === 0) throw new Error('the collector got no spans');
    note(`the collector got ${String(bytes)} bytes in ${String(exports)} exports`);
  } finally {
    for (const { machine } of sides) await machine.close({ keepLogs: false });
    sink.stop();
    collector.stop();
  }
}

interface Plan {
  /** With every trace, with one in ten, with none. */
  sides: readonly Side[];
  sink: Child;
  /** Requests of a round. */
  amount: number;
}

/** In turn; which one begins changes with the round. */
async function compare(
  { sides, sink, amount: requests }: Plan,
  { name, requestOf, webhooks }: (typeof variants)[number],
  { rounds, note }: WebhooksOptions,
  report: Report,
): Promise<void> {
  const runs = sides.map((side) => ({ side, rates: [] as number[], cpu: [] as number[] }));
  for (let round = 0; round <= rounds; round += 1) {
    const first = round % runs.length;
    for (const { side, rates, cpu } of [...runs.slice(first), ...runs.slice(0, first)]) {
      const load = { request: requestOf(side), requests, webhooks };
      const figures = await measure(side, load, sink);
      // The first round warms up.
      if (round === 0) continue;
      rates.push(figures.rate);
      cpu.push(figures.cpu);
    }
    const latest = runs.map(({ rates }) => (rates.at(-1) ?? 0).toFixed(0)).join(', ');
    note(`${name} round ${String(round)}: ${latest} with every trace, one in ten, none`);
  }
  const [every, sampled, none] = runs;
  if (!every || !sampled || !none) throw new Error('three services are compared');
  const add = (of: string, { rates, cpu }: Figures) => {
    report.add(
      of,
      { value: rates, unit: 'requests/s', limit: none.rates },
      { of: 'ratio', atLeast: 0.95 },
    );
    report.add(`${of}.cpu`, { value: cpu, unit: 'CPU-s per 1,000', limit: none.cpu });
  };
  add(name, every);
  add(`${name}.one_in_ten`, sampled);
}

async function openSide(
  name: string,
  target: string,
  settings: Readonly<Record<string, string>>,
  { note, nodeArguments }: WebhooksOptions,
): Promise<Side> {
  const machine = await openMachine({
    ...{ name, apis: 1, workers: 1, settings: { LOG_LEVEL: 'error', ...settings } },
    ...{ nodeArguments, onNotice: note },
  });
  const team = await newTeam(machine);
  const { id } = await team.must('POST', '/v2/partner/contacts', { email: 'first@example.com' });
  await team.must('POST', '/v2/partner/webhook-subscriptions', {
    target_url: target,
    event_types: ['contact.created'],
  });
  return { machine, team, contact: String(id) };
}

const baseOf = ({ machine }: Side) => machine.bases[0] ?? '';

const getContact = (side: Side): Request => ({
  method: 'GET',
  url: `${baseOf(side)}/v2/partner/contacts/${side.contact}`,
  headers: { authorization: `Bearer ${side.team.token}` },
});

const createContact = (side: Side): Request => postContact(baseOf(side), [side.team]);

const variants = [
  { name: 'tracing.get_contact', requestOf: getContact, webhooks: 0 },
  { name: 'tracing.post_to_webhook', requestOf: createContact, webhooks: 1 },
];

interface Load {
  request: Request;
  requests: number;
  /** Webhooks of each; the time ends with the last of them. */
  webhooks: number;
}

async function measure({ machine }: Side, { request, requests, webhooks }: Load, sink: Child) {
  await sink.ask({ ask: 'reset' });
  const before = cpuSecondsOfMachine(machine);
  const startedAtMs = performance.timeOrigin + performance.now();
  const { perSecond } = await callInALoop(request, { callers, amount: requests });
  const expected = requests * webhooks;
  const hasAll = await comesTrue(
    async () => (await sink.ask({ ask: 'count' })).requests >= expected,
    deliveredWithinMs,
    20,
  );
  if (!hasAll) throw new Error('webhooks did not come');
  const { lastAtMs } = await sink.ask({ ask: 'count' });
  const cpu = cpuBetween(before, cpuSecondsOfMachine(machine)).all / (requests / 1_000);
  const rate = webhooks === 0 ? perSecond : requests / ((lastAtMs - startedAtMs) / 1_000);
  return { rate, cpu };
}
