import type { Request } from '../load.ts';
import { atFullRate, atRate } from '../publish.ts';
import type { Published } from '../publish.ts';
import type { Report } from '../report.ts';
import { postContact, postFullContact } from '../stand.ts';
import type { Stand } from '../stand.ts';

const events = 8_000;
const quiet = { perSecond: 100, amount: 2_000 };

const valuesOf = (rounds: readonly Published[], name: keyof Published) =>
  rounds.map((round) => round[name]);

/** POST contact → event → one delivery: as fast as it goes, at a quiet rate, and in other ways. */
export async function endToEnd(stand: Stand, report: Report): Promise<void> {
  const request = postContact(stand.base, [await stand.newSubscribedTeam(1)]);
  await atFullRate(stand, request, 4_000);
  const full: Published[] = [];
  const slow: Published[] = [];
  for (let round = 0; round < stand.rounds; round += 1) {
    full.push(await atFullRate(stand, request, events));
    slow.push(await atRate(stand, request, quiet));
    stand.note(
      `end_to_end round ${String(round + 1)}: ${JSON.stringify([full.at(-1), slow.at(-1)])}`,
    );
  }
  tellFullRate(report, 'end_to_end', full, { atLeast: 1_600, cpuAtMost: 0.9 });
  tellQuietRate(report, slow);
  await inOtherWays(stand, report);
}

function tellFullRate(
  report: Report,
  name: string,
  rounds: readonly Published[],
  aims?: { atLeast: number; cpuAtMost: number },
): void {
  const of = (figure: keyof Published) => valuesOf(rounds, figure);
  report.add(
    `${name}.rate`,
    { value: of('perSecond'), unit: 'deliveries/s' },
    aims && { of: 'value', atLeast: aims.atLeast },
  );
  report.add(`${name}.answer_p99`, { value: of('answerP99Ms'), isWorst: true, unit: 'ms' });
  report.add(`${name}.p50`, { value: of('p50Ms'), unit: 'ms accept → sink' });
  report.add(
    `${name}.p99`,
    { value: of('p99Ms'), isWorst: true, unit: 'ms accept → sink' },
    { of: 'value', atMost: 500 },
  );
  report.add(
    `${name}.cpu`,
    { value: of('cpu'), unit: 'CPU-s per 1,000, all parts' },
    aims && { of: 'value', atMost: aims.cpuAtMost },
  );
  for (const part of ['api', 'worker', 'postgres', 'temporal'] as const) {
    report.add(`${name}.cpu.${part}`, { value: of(part), unit: 'CPU-s per 1,000' });
  }
}

function tellQuietRate(report: Report, rounds: readonly Published[]): void {
  const name = 'at_100_per_second';
  const of = (figure: keyof Published) => valuesOf(rounds, figure);
  const atMost = (limit: number) => ({ of: 'value' as const, atMost: limit });
  report.add(`${name}.p50`, { value: of('p50Ms'), unit: 'ms accept → sink' }, atMost(1.5));
  report.add(
    `${name}.p99`,
    { value: of('p99Ms'), isWorst: true, unit: 'ms accept → sink' },
    atMost(6),
  );
  report.add(`${name}.due_p50`, { value: of('dueP50Ms'), unit: 'ms due → sink' });
  report.add(`${name}.due_p99`, { value: of('dueP99Ms'), isWorst: true, unit: 'ms due → sink' });
  report.add(`${name}.cpu`, { value: of('cpu'), unit: 'CPU-s per 1,000' }, atMost(2.8));
}

/** With what the first figures leave out, each by itself. */
async function inOtherWays(stand: Stand, report: Report): Promise<void> {
  const team = await stand.newSubscribedTeam(1);
  const alone = {
    keyed: postContact(stand.base, [team], { isKeyed: true }),
    full_contacts: postFullContact(stand.base, [team]),
  };
  for (const [name, request] of Object.entries(alone)) await tell(stand, name, request, report);
}

async function tell(stand: Stand, name: string, request: Request, report: Report): Promise<void> {
  await atFullRate(stand, request, 2_000);
  const rounds: Published[] = [];
  for (let round = 0; round < stand.rounds; round += 1) {
    rounds.push(await atFullRate(stand, request, events));
    stand.note(`end_to_end_${name} round ${String(round + 1)}: ${JSON.stringify(rounds.at(-1))}`);
  }
  tellFullRate(report, `end_to_end_${name}`, rounds);
}
