import { openMachine } from '../../world/machine.ts';
import type { Machine } from '../../world/machine.ts';
import { newTeam } from '../../world/teams.ts';
import { atFullRate } from '../publish.ts';
import type { Published } from '../publish.ts';
import type { Report } from '../report.ts';
import { cpuSecondsOfMachine, newSubscribedTeam, postContact, postFullContact } from '../stand.ts';
import type { Stand } from '../stand.ts';

const events = 8_000;
const teamCount = 1_000;
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
  const many = requestOf(await newSubscribedTeams(machine, stand.sinkUrl, way.tier));
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

async function newSubscribedTeams(machine: Machine, sinkUrl: string, tier: string) {
  const made: Awaited<ReturnType<typeof newTeam>>[] = [];
  const makeNext = async () => {
    while (made.length < teamCount) {
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
