import { openMachine } from '../../world/machine.ts';
import type { Machine } from '../../world/machine.ts';
import { newTeam } from '../../world/teams.ts';
import { pause } from '../../world/moments.ts';
import { callInALoop } from '../load.ts';
import { residentMb } from '../memory.ts';
import { atFullRate, atRate } from '../publish.ts';
import type { Published } from '../publish.ts';
import type { Report } from '../report.ts';
import { cpuSecondsOfMachine, newSubscribedTeam, postContact, postFullContact } from '../stand.ts';
import type { Stand } from '../stand.ts';

const events = 8_000;
const teamCount = 1_000;
const quiet = { perSecond: 100, amount: 2_000 };
const quietTeams = 100;
/** So that there are ten thousand. */
const idleTeams = 8_900;
/** Teams ask for their tokens from one address. */
const manyStrangers = { UNAUTHENTICATED_BURST: '1000000' };

interface Way {
  name: string;
  settings: Readonly<Record<string, string>>;
  tier: string;
  request: typeof postContact;
  isKeyed: boolean;
  /** Aim of the rate of a thousand teams, as a part of that of one. */
  rateAtLeast: number;
  /** Aim of their CPU seconds, as a multiple of those of one. */
  cpuAtMost?: number;
}

const ways: readonly Way[] = [
  {
    ...{ name: 'sparse', settings: { LOG_LEVEL: 'error' }, tier: 'unlimited' },
    ...{ request: postContact, isKeyed: false, rateAtLeast: 0.7, cpuAtMost: 1.5 },
  },
  // Each request is logged, counted against the limits of its team, and kept under its key.
  {
    ...{ name: 'as_shipped', settings: { LOG_LEVEL: 'info' }, tier: 'standard' },
    ...{ request: postFullContact, isKeyed: true, rateAtLeast: 0.5 },
  },
];

/** POST contact → event → one delivery: for one team, and for a thousand teams in turn. */
export async function teams(stand: Stand, report: Report): Promise<void> {
  for (const way of ways) {
    const machine = await openMachine({
      ...{ name: `bench-${way.name}`, apis: 1, workers: 1, onNotice: stand.note },
      settings: { ...manyStrangers, ...way.settings },
      nodeArguments: stand.nodeArguments,
    });
    try {
      await compare(stand, report, machine, way);
      if (way.tier !== 'unlimited') continue;
      await atAQuietRate(stand, report, machine);
      await besideALargeOne(stand, report, machine);
    } finally {
      await machine.close({ keepLogs: false });
    }
  }
}

async function compare(stand: Stand, report: Report, machine: Machine, way: Way): Promise<void> {
  const base = machine.bases[0] ?? '';
  const requestOf = (of: readonly { token: string }[]) =>
    way.request(base, of, { isKeyed: way.isKeyed });
  const own = { ...stand, cpu: () => cpuSecondsOfMachine(machine) };
  const one = requestOf([await newSubscribedTeam(machine, 1, stand.sinkUrl)]);
  const many = requestOf(await newSubscribedTeams(machine, stand.sinkUrl, way.tier, teamCount));
  await atFullRate(own, one, 2_000);
  await atFullRate(own, many, 2_000);
  // Otherwise connections keep plans that were made for an empty table, until Postgres does it.
  await machine.database.read((sql) => sql`analyze contacts`, { deadlineMs: 60_000 });
  const ofOne: Published[] = [];
  const ofMany: Published[] = [];
  for (let round = 0; round < stand.rounds; round += 1) {
    ofOne.push(await atFullRate(own, one, events));
    ofMany.push(await atFullRate(own, many, events));
    const last = [ofOne.at(-1), ofMany.at(-1)];
    stand.note(`teams_${way.name} round ${String(round + 1)}: ${JSON.stringify(last)}`);
  }
  const name = `teams.${way.name}`;
  const valuesOf = (rounds: readonly Published[], figure: keyof Published) =>
    rounds.map((round) => round[figure]);
  report.add(
    `${name}.rate`,
    {
      ...{ value: valuesOf(ofMany, 'perSecond'), unit: 'deliveries/s' },
      limit: valuesOf(ofOne, 'perSecond'),
    },
    { of: 'ratio', atLeast: way.rateAtLeast },
  );
  report.add(
    `${name}.cpu`,
    {
      ...{ value: valuesOf(ofMany, 'cpu'), unit: 'CPU-s per 1,000, all parts' },
      limit: valuesOf(ofOne, 'cpu'),
    },
    way.cpuAtMost === undefined ? undefined : { of: 'ratio', atMost: way.cpuAtMost },
  );
  for (const part of ['api', 'worker', 'postgres', 'temporal'] as const) {
    report.add(`${name}.cpu.${part}`, {
      ...{ value: valuesOf(ofMany, part), unit: 'CPU-s per 1,000' },
      limit: valuesOf(ofOne, part),
    });
  }
  report.add(
    `${name}.p99`,
    { value: valuesOf(ofMany, 'p99Ms'), isWorst: true, unit: 'ms accept → sink' },
    { of: 'value', atMost: 500 },
  );
}

/**
 * 100 a second, each of another of a hundred teams: at first there are few others, then nine thousand
 * that do nothing.
 */
async function atAQuietRate(stand: Stand, report: Report, machine: Machine): Promise<void> {
  const own = { ...stand, cpu: () => cpuSecondsOfMachine(machine) };
  const newOnes = (count: number) => newSubscribedTeams(machine, stand.sinkUrl, 'unlimited', count);
  const request = postContact(machine.bases[0] ?? '', await newOnes(quietTeams));
  const measure = async () => {
    const rounds: Published[] = [];
    for (let round = 0; round < stand.rounds; round += 1) {
      rounds.push(await atRate(own, request, quiet));
      stand.note(`teams_quiet round ${String(round + 1)}: ${JSON.stringify(rounds.at(-1))}`);
    }
    const memoryMb = residentMb(machine, 'api') + residentMb(machine);
    const valuesOf = (figure: keyof Published) => rounds.map((round) => round[figure]);
    return { valuesOf, memoryMb };
  };
  const { valuesOf, memoryMb } = await measure();
  const unit = 'ms accept → sink';
  const cpuUnit = 'CPU-s per 1,000';
  const atMost = (limit: number) => ({ of: 'value' as const, atMost: limit });
  report.add('teams.quiet.p50', { value: valuesOf('p50Ms'), unit }, atMost(1.5));
  report.add('teams.quiet.p99', { value: valuesOf('p99Ms'), isWorst: true, unit }, atMost(6));
  report.add('teams.quiet.cpu', { value: valuesOf('cpu'), unit: cpuUnit }, atMost(2.8));
  for (const part of ['api', 'worker', 'postgres', 'temporal'] as const) {
    report.add(`teams.quiet.cpu.${part}`, { value: valuesOf(part), unit: cpuUnit });
  }
  await newOnes(idleTeams);
  const amongMany = await measure();
  const atMostMore = { of: 'ratio' as const, atMost: 1.2 };
  report.add(
    'teams.of_ten_thousand.cpu',
    { value: amongMany.valuesOf('cpu'), unit: cpuUnit, limit: valuesOf('cpu') },
    atMostMore,
  );
  report.add(
    'teams.of_ten_thousand.memory',
    { value: amongMany.memoryMb, unit: 'MB of API and worker', limit: memoryMb },
    atMostMore,
  );
}

const smallTeams = 100;
const callersOfLargeTeam = 200;
/** Longer than the small teams take. */
const secondsOfLargeTeam = 20;

/** Answers to teams with one caller each: alone, and beside a team with many callers. */
async function besideALargeOne(stand: Stand, report: Report, machine: Machine): Promise<void> {
  const base = machine.bases[0] ?? '';
  const small = postContact(base, await newTeams(machine, smallTeams));
  const large = postContact(base, await newTeams(machine, 1));
  const measure = () => callInALoop(small, { callers: smallTeams, amount: events });
  const alone: number[] = [];
  const beside: number[] = [];
  for (let round = 0; round <= stand.rounds; round += 1) {
    const { p99Ms } = await measure();
    const load = callInALoop(large, { callers: callersOfLargeTeam, seconds: secondsOfLargeTeam });
    await pause(1_000);
    const measured = await measure();
    await load;
    // The first round warms up.
    if (round === 0) continue;
    alone.push(p99Ms);
    beside.push(measured.p99Ms);
  }
  report.add(
    'teams.beside_a_large_one.p99',
    { value: beside, unit: 'ms', limit: alone },
    { of: 'ratio', atMost: 2 },
  );
}

const newTeams = (machine: Machine, count: number) =>
  Promise.all(Array.from({ length: count }, () => newTeam(machine)));

async function newSubscribedTeams(machine: Machine, sinkUrl: string, tier: string, count: number) {
  const made: Awaited<ReturnType<typeof newTeam>>[] = [];
  const makeNext = async () => {
    while (made.length < count) {
      const team = await newTeam(machine, tier);
      await team.must('POST', '/v2/partner/webhook-subscriptions', {
        target_url: sinkUrl,
        event_types: ['contact.created'],
      });
      made.push(team);
    }
  };
  await Promise.all(Array.from({ length: 8 }, makeNext));
  return made;
}
