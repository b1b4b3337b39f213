import { randomUUID } from 'node:crypto';
import { openMachine } from '../../world/machine.ts';
import type { Machine } from '../../world/machine.ts';
import { mustComeTrue, pause } from '../../world/moments.ts';
import { newTeam } from '../../world/teams.ts';
import type { Team } from '../../world/teams.ts';
import { cpuSecondsOf } from '../cpu.ts';
import { residentMb } from '../memory.ts';
import type { Report } from '../report.ts';
import { patient, seedTeam } from '../seed.ts';
import type { Stand } from '../stand.ts';

const templates = '/v2/partner/templates';
/** Rows that come so long after a pause would be seen. */
const watchMs = 3_000;

interface Large {
  machine: Machine;
  team: Team;
  contacts: number;
  /** Whether all contacts are enrolled. */
  cohort: string;
  note: (line: string) => void;
}

/**
 * All contacts of a team enrolled by a launch, against the bare insert of the same rows, with the
 * worker's memory; then a pause in the middle of it.
 */
export async function enrollment({ rounds, contacts, note }: Stand, report: Report): Promise<void> {
  const machine = await openMachine({
    ...{ name: 'bench-enrollment', apis: 1, workers: 1, onNotice: note },
    settings: { LOG_LEVEL: 'error' },
  });
  try {
    const team = await newTeam(machine);
    await seedTeam(machine, team, contacts, note);
    const large = { machine, team, contacts, note, cohort: await cohortOfAll(machine, team) };
    await launches(large, rounds, report);
    await pauseInTheMiddle(large, report);
  } finally {
    await machine.close({ keepLogs: false });
  }
}

async function cohortOfAll({ database }: Machine, team: Team): Promise<string> {
  const { id } = await team.must('POST', '/v2/partner/cohorts', { name: 'All', kind: 'static' });
  await database.read(
    (sql) => sql`
      with joined as (
        insert into cohort_members (team_id, cohort_id, contact_id)
        select team_id, ${id}, id from contacts where team_id = ${team.id} and status <> 'archived'
        returning contact_id
      )
      update cohorts set member_count = (select count(*) from joined) where id = ${id}`,
    patient,
  );
  await database.read((sql) => sql`vacuum (analyze) cohort_members`, patient);
  return String(id);
}

async function launches(large: Large, rounds: number, report: Report): Promise<void> {
  const { machine, contacts, note } = large;
  const figures = { own: [] as number[], begun: [] as number[], limit: [] as number[] };
  const cpu = { worker: [] as number[], postgres: [] as number[], limit: [] as number[] };
  const memory = { idle: Infinity, most: 0, last: 0 };
  const used = () => ({
    worker: cpuSecondsOf(machine.workers.map(({ pid }) => pid)),
    postgres: cpuSecondsOf([machine.postgres.pid]),
  });
  for (let round = 0; round < rounds; round += 1) {
    memory.idle = Math.min(memory.idle, residentMb(machine));
    const before = used();
    const startedAtMs = performance.now();
    const template = await launch(large);
    await scanned(large, template, contacts, () => {
      memory.most = Math.max(memory.most, residentMb(machine));
    });
    const own = perSecond(contacts, startedAtMs);
    const after = used();
    await begun(large, template);
    memory.last = residentMb(machine);
    const all = perSecond(contacts, startedAtMs);
    const beforeRaw = used();
    const limit = await insertRaw(large, template);
    cpu.limit.push(used().postgres - beforeRaw.postgres);
    cpu.worker.push(after.worker - before.worker);
    cpu.postgres.push(after.postgres - before.postgres);
    figures.own.push(own);
    figures.begun.push(all);
    figures.limit.push(limit);
    note(
      `enrollment round ${String(round + 1)}: ${own.toFixed(0)} beside ${limit.toFixed(0)} contacts/s, begun ${all.toFixed(0)}/s, worker ${memory.most.toFixed(0)} MB`,
    );
  }
  const { own: value, limit } = figures;
  const unit = 'contacts/s';
  // The limit is one statement: it has one core, and the enrollment has all.
  report.add('enrollment.rate', { value, unit, limit }, { of: 'ratio', atLeast: 0.4 });
  report.add('enrollment.rate_begun', { value: figures.begun, unit, limit });
  const perThousand = (seconds: readonly number[]) =>
    seconds.map((one) => one / (contacts / 1_000));
  report.add('enrollment.cpu_postgres', {
    ...{ value: perThousand(cpu.postgres), unit: 'CPU-s per 1,000', limit: perThousand(cpu.limit) },
  });
  report.add('enrollment.cpu_worker', { value: perThousand(cpu.worker), unit: 'CPU-s per 1,000' });
  report.add('enrollment.worker_memory_idle', { value: memory.idle, unit: 'MB' });
  report.add('enrollment.worker_memory', { value: memory.most, unit: 'MB' });
  report.add('enrollment.worker_memory_after', { value: memory.last, unit: 'MB' });
}

const perSecond = (count: number, sinceMs: number) =>
  count / ((performance.now() - sinceMs) / 1_000);

/** A template whose one message waits for a month, so that enrollment alone is seen. */
async function launch({ team, cohort }: Large): Promise<string> {
  const objectives = await team.must('GET', '/v2/partner/objectives?page[size]=1');
  const { id } = await team.must('POST', templates, {
    ...{ name: `Bench ${randomUUID()}`, objective_ids: [objectives.data[0].id] },
    ...{ entry: 'on_launch_snapshot', target_cohort_ids: [cohort] },
  });
  await team.must('POST', `${templates}/${String(id)}/messages`, {
    ...{ name: 'Later', channel: 'email', from_email: 'hello@bank.example' },
    ...{ subject: 'Hello', body_html: '<p>Hello</p>', trigger: { kind: 'delay', delay: 'P30D' } },
  });
  await team.must('POST', `${templates}/${String(id)}/launch`);
  return String(id);
}

/** Number of members that a launch has enrolled; undefined before it begins. */
async function enrolledBy({ machine, team }: Large, template: string): Promise<number> {
  const [row] = await machine.database.read(
    (sql) => sql<{ count: number }[]>`
      select enrolled_count::int as count from enrollment_scans
      where team_id = ${team.id} and id = ${template}`,
    patient,
  );
  return row?.count ?? 0;
}

async function scanned(large: Large, template: string, count: number, look: () => void) {
  while ((await enrolledBy(large, template)) < count) {
    look();
    await pause(100);
  }
}

/** The lanes have begun every journey. */
async function begun({ machine, team }: Large, template: string): Promise<void> {
  await mustComeTrue(
    'the begin of all journeys',
    async () => {
      const [row] = await machine.database.read(
        (sql) => sql<{ waits: boolean }[]>`
          select exists (
            select from journeys
            where lane_of_contact(contact_id) = any('{0,1,2,3}') and team_id = ${team.id}
              and template_id = ${template} and next_due_at <= now()) as waits`,
        patient,
      );
      return row?.waits === false;
    },
    3_600_000,
  );
}

/** The same journeys into an empty table with the same indexes, by one statement. */
async function insertRaw({ machine, team, contacts }: Large, template: string): Promise<number> {
  const { database } = machine;
  await database.read(async (sql) => {
    await sql`drop table if exists raw_journeys, raw_source`;
    await sql`create table raw_journeys (like journeys including all)`;
    // Apart from journeys, whose writes of the round before would slow down the reads.
    await sql`
      create table raw_source as
      select team_id, template_id, template_version, contact_id, enrolled_via, cohort_id
      from journeys where team_id = ${team.id} and template_id = ${template}`;
    await sql`checkpoint`;
  }, patient);
  const startedAtMs = performance.now();
  await database.transact(
    async (sql) => {
      await sql`set local statement_timeout = 0`;
      await sql`
        insert into raw_journeys (team_id, template_id, template_version, contact_id, enrolled_via,
          cohort_id, next_due_at)
        select raw_source.*, now() from raw_source`;
    },
    { deadlineMs: 3_600_000 },
  );
  return perSecond(contacts, startedAtMs);
}

/** From the request for a pause until its answer, and until the last journey that comes. */
async function pauseInTheMiddle(large: Large, report: Report): Promise<void> {
  const { team, contacts, note } = large;
  const template = await launch(large);
  await scanned(large, template, contacts / 4, () => undefined);
  const askedAtMs = performance.now();
  await team.must('POST', `${templates}/${template}/pause`);
  const answeredMs = performance.now() - askedAtMs;
  let count = await enrolledBy(large, template);
  let lastMs = answeredMs;
  const atAnswer = count;
  while (performance.now() - askedAtMs - answeredMs < watchMs) {
    const now = await enrolledBy(large, template);
    if (now !== count) lastMs = performance.now() - askedAtMs;
    count = now;
    await pause(20);
  }
  note(`paused at ${String(count)} of ${String(contacts)}, ${String(count - atAnswer)} after it`);
  if (count === contacts) throw new Error('the launch was over before the pause');
  const aim = { of: 'value', atMost: 2_000 } as const;
  report.add('enrollment.pause_answer', { value: answeredMs, unit: 'ms' });
  report.add('enrollment.pause_to_last_row', { value: lastMs, unit: 'ms' }, aim);
}
