import { fillTeam, fillYear } from '../../../src/commands/seed/fill.ts';
import { insights as declared } from '../../../src/insights/answers.ts';
import { sumHours } from '../../../src/insights/rollups/queries.ts';
import { send } from '../../world/client.ts';
import { openMachine } from '../../world/machine.ts';
import type { Machine } from '../../world/machine.ts';
import { mustComeTrue, percentile } from '../../world/moments.ts';
import { newTeam } from '../../world/teams.ts';
import type { Team } from '../../world/teams.ts';
import { median } from '../report.ts';
import type { Report } from '../report.ts';
import { patient } from '../seed.ts';
import type { Stand } from '../stand.ts';

/** Maximum of opens in a round, and minimum of rounds: one short round alone has little meaning. */
const opensAtOnce = 1_000;
const fewestRounds = 5;
/** The periods of the requested insights, with the limit of a response in ms. */
const periods = [
  { name: 'default', query: '', atMost: 100 },
  { name: 'year', query: '?period=P365D', atMost: 1_000 },
];
/** Calls in a round: computed again, and as they come. */
const calls = { again: 3, any: 20 };

/**
 * Every insight of a team with a year of engagement events, one call after the other: the median of
 * some that are computed, then the p99 of later ones, which may be cached; both as the median of
 * rounds. A machine of its own, so that nothing else fills its memory.
 */
export async function insights({ rounds, events, note }: Stand, report: Report): Promise<void> {
  const machine = await openMachine({
    ...{ name: 'bench-insights', apis: 1, workers: 1, onNotice: note },
    settings: { LOG_LEVEL: 'error' },
  });
  try {
    const { database } = machine;
    const team = await newTeam(machine);
    const contacts = Math.max(1_000, Math.ceil(events / 50));
    await fillTeam(database, team.id, contacts, () => undefined);
    const year = { events, contacts, seed: 1, nowMs: Date.now() };
    const told = new Set<number>();
    await fillYear(database, team.id, year, (share, written) => {
      const tenth = Math.floor(share * 10);
      if (!told.has(tenth)) note(`${String(written)} events are there`);
      told.add(tenth);
    });
    for (let hasMore = true; hasMore;) {
      const portion = { changed: 500, passed: 24 * 31 };
      const done = await database.transact((sql) => sumHours(sql, team.id, portion), patient);
      hasMore = done.hasMore;
    }
    await database.read((sql) => sql`vacuum (analyze)`, patient);
    note('all hours are summed');
    const [template] = (await team.must('GET', '/v2/partner/templates')).data;
    const figures = declared.flatMap((one) =>
      periods.map((period) => ({
        atMost: period.atMost,
        name: `insights.${one.isOfTemplate === true ? 'template-' : ''}${one.name}.${period.name}`,
        path: one.isOfTemplate
          ? `/v2/partner/templates/${String(template.id)}/insights/${one.name}${period.query}`
          : `/v2/partner/insights/advanced/${one.name}${period.query}`,
        ...{ p99: [] as number[], again: [] as number[] },
      })),
    );
    for (let round = 0; round < rounds; round += 1) {
      for (const figure of figures) {
        const askAgain = () => timed(machine, team, figure.path, { 'Cache-Control': 'no-cache' });
        figure.again.push(median(await oneByOne(calls.again, askAgain)));
      }
      note('all were computed again, as far as they could be in the time of a request');
      for (const figure of figures) {
        const ask = () => timed(machine, team, figure.path, {});
        // The worker computes an answer that exceeds a request, within minutes.
        await mustComeTrue(figure.name, async () => (await ask()).isThere, 900_000, 5_000);
        figure.p99.push(percentile(await oneByOne(calls.any, ask), 0.99));
      }
      note(`round ${String(round + 1)} is over`);
    }
    for (const { name, p99, again, atMost } of figures) {
      report.add(`${name}.again`, { value: again, unit: 'ms' });
      report.add(name, { value: p99, isWorst: true, unit: 'ms, p99' }, { of: 'value', atMost });
    }
    await ingest(machine, team, Math.max(rounds, fewestRounds), report);
  } finally {
    await machine.close({ keepLogs: false });
  }
}

/** Milliseconds until an answer; also where it is that there is too much to be answered at once. */
async function timed(
  { bases: [base = ''] }: Machine,
  { token }: Team,
  path: string,
  headers: Record<string, string>,
): Promise<{ ms: number; isThere: boolean }> {
  const call = { token, headers, withinMs: 60_000 };
  const { status, body, ms } = await send(base, 'GET', path, call);
  if (status === 200) return { ms, isThere: true };
  if (body?.errors?.[0]?.code === 'invalid_period') return { ms, isThere: false };
  throw new Error(`GET ${path}: ${String(status)} ${JSON.stringify(body)}`);
}

async function oneByOne(times: number, call: () => Promise<{ ms: number }>): Promise<number[]> {
  const latencies: number[] = [];
  while (latencies.length < times) latencies.push((await call()).ms);
  return latencies;
}

/** Opens of messages of the last months, each in a transaction, with and without marks of their hours. */
async function ingest({ database }: Machine, team: Team, rounds: number, report: Report) {
  const figures = { marked: [] as number[], bare: [] as number[] };
  const opens = await database.read(
    (sql) => sql<{ id: string; inserted_at: string }[]>`
      select id, inserted_at from message_deliveries
      where team_id = ${team.id} and sent_at < now() - interval '1 day'
      order by id limit ${2 * (rounds + 1) * opensAtOnce}`,
    patient,
  );
  const atOnce = Math.floor(opens.length / 2 / (rounds + 1));
  const write = async () => {
    const startedAtMs = performance.now();
    const some = opens.splice(0, atOnce);
    for (const { id, inserted_at } of some) {
      await database.transact(
        (sql) => sql`
          update message_deliveries set open_count = open_count + 1, first_opened_at = now()
          where team_id = ${team.id} and id = ${id} and inserted_at = ${inserted_at}`,
      );
    }
    return some.length / ((performance.now() - startedAtMs) / 1_000);
  };
  const mark = (isOn: boolean) =>
    database.read(
      (sql) => sql`
        alter table message_deliveries ${sql.unsafe(isOn ? 'enable' : 'disable')}
        trigger record_hours_updated`,
    );
  await write();
  for (let round = 0; round < rounds; round += 1) {
    await mark(false);
    figures.bare.push(await write());
    await mark(true);
    figures.marked.push(await write());
  }
  report.add(
    'insights.ingest_with_marks',
    { value: figures.marked, unit: 'opens/s', limit: figures.bare },
    { of: 'ratio', atLeast: 0.9 },
  );
}
