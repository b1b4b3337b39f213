import { collectValues } from '../../../src/platform/lists/statement.ts';
import { parseDefinition } from '../../../src/cohorts/definition/parse.ts';
import { predicateOf } from '../../../src/cohorts/definition/predicate.ts';
import { openMachine } from '../../world/machine.ts';
import type { Machine } from '../../world/machine.ts';
import { mustComeTrue, pause, percentile } from '../../world/moments.ts';
import { newTeam } from '../../world/teams.ts';
import type { Team } from '../../world/teams.ts';
import { asking, most, placed } from '../cohort-definitions.ts';
import { cpuSecondsOf } from '../cpu.ts';
import { callAtARate } from '../load.ts';
import type { Report } from '../report.ts';
import { patient, seedTeam } from '../seed.ts';
import type { Stand } from '../stand.ts';

const path = '/v2/partner/cohorts';
const followers = 100;
const maxFollowedContacts = 100_000;
const perSecond = 200;
const seconds = 30;

/**
 * A cohort of ten rules evaluated over all contacts of a large team, against the bare insert of the
 * same contacts; then changes at a rate, with a hundred cohorts that follow, in a team of at most a
 * hundred thousand: each of its cohorts is evaluated over all of them first.
 */
export async function cohorts({ rounds, contacts, note }: Stand, report: Report): Promise<void> {
  const machine = await openMachine({
    ...{ name: 'bench-cohorts', apis: 1, workers: 1, onNotice: note },
    settings: { LOG_LEVEL: 'error' },
  });
  try {
    const team = await newTeam(machine);
    await seedTeam(machine, team, contacts, note);
    await evaluations({ machine, team, rounds, contacts, note }, report);
    let followed = team;
    if (contacts > maxFollowedContacts) {
      followed = await newTeam(machine);
      await seedTeam(machine, followed, maxFollowedContacts, note);
    }
    await changes({ machine, team: followed, note }, report);
  } finally {
    await machine.close({ keepLogs: false });
  }
}

interface Large {
  machine: Machine;
  team: Team;
  note: (line: string) => void;
}

async function evaluations(
  { machine, team, rounds, contacts, note }: Large & { rounds: number; contacts: number },
  report: Report,
): Promise<void> {
  const figures = { limit: [] as number[], first: [] as number[], again: [] as number[] };
  const whole = { first: [] as number[], again: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    figures.limit.push(await insertRaw(machine, team));
    const askedAtMs = performance.now();
    const { id } = await team.must('POST', path, {
      ...{ name: `Most ${String(round)}`, kind: 'dynamic', evaluation_mode: 'scheduled' },
      definition: most,
    });
    const at = `${path}/${String(id)}`;
    const first = await becomesReady(team, at, undefined);
    whole.first.push(performance.now() - askedAtMs);
    figures.first.push(first.last_evaluation_ms);
    await machine.database.read(
      (sql) => sql`
        update contacts set attributes = attributes || '{"score": 7}'
        where team_id = ${team.id} and unique_id like ${`seed-${String(round + 1)}%77`}`,
      patient,
    );
    const againAtMs = performance.now();
    await team.must('PATCH', at, { refresh_interval_seconds: 3_000 });
    const again = await becomesReady(team, at, first.last_evaluated_at);
    whole.again.push(performance.now() - againAtMs);
    figures.again.push(again.last_evaluation_ms);
    note(
      `cohorts round ${String(round + 1)}: ${first.last_evaluation_ms} ms for ${first.member_count} of ${contacts}, then ${again.last_evaluation_ms} ms for ${first.member_count - again.member_count} less, beside ${figures.limit.at(-1)?.toFixed(0)} ms`,
    );
    await team.must('DELETE', at);
  }
  const inSeconds = (values: readonly number[]) => values.map((ms) => ms / 1_000);
  const limit = inSeconds(figures.limit);
  // The aim is stated for a million contacts.
  const atMost = (5 * contacts) / 1_000_000;
  const aim = { of: 'value', atMost: Math.max(1, atMost) } as const;
  report.add('cohorts.first', { value: inSeconds(figures.first), unit: 's', limit }, aim);
  report.add('cohorts.first_until_ready', { value: inSeconds(whole.first), unit: 's' });
  report.add('cohorts.again', { value: inSeconds(figures.again), unit: 's', limit }, aim);
  report.add('cohorts.again_until_ready', { value: inSeconds(whole.again), unit: 's' });
}

async function becomesReady(team: Team, at: string, before: string | undefined) {
  let cohort: any;
  await mustComeTrue(
    'an evaluation',
    async () => {
      cohort = await team.must('GET', at);
      if (cohort.evaluation_status === 'failed') throw new Error(JSON.stringify(cohort));
      return cohort.evaluation_status === 'ready' && cohort.last_evaluated_at !== before;
    },
    300_000,
  );
  return cohort;
}

/** The same contacts into an empty table of the same shape; milliseconds. */
async function insertRaw({ database }: Machine, team: Team): Promise<number> {
  const read = parseDefinition(most);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const { values, bind } = collectValues([team.id]);
  const meant = predicateOf(read.rule, bind, new Date().toISOString());
  await database.read(async (sql) => {
    await sql`drop table if exists raw_members`;
    await sql`create table raw_members (like cohort_members including all)`;
    await sql`checkpoint`;
  }, patient);
  const startedAtMs = performance.now();
  await database.read(
    (sql) =>
      sql.unsafe(
        `insert into raw_members (team_id, cohort_id, contact_id)
        select t.team_id, '00000000-0000-4000-8000-000000000000', t.id from contacts t
        where t.team_id = $1 and ${meant}`,
        values,
      ),
    patient,
  );
  return performance.now() - startedAtMs;
}

/** From the answer to a change until every membership that it decides is right. */
async function changes({ machine, team, note }: Large, report: Report): Promise<void> {
  const { database } = machine;
  const ids: string[] = [];
  for (let made = 0; made < followers; made += 1) {
    const { id } = await team.must('POST', path, {
      ...{ name: `Follower ${String(made)}`, kind: 'dynamic' },
      definition: made % 2 === 0 ? placed(made) : asking(made),
    });
    ids.push(String(id));
  }
  await mustComeTrue(
    'the evaluation of all followers',
    async () => {
      const [{ waiting } = { waiting: 1 }] = await database.read(
        (sql) => sql<{ waiting: number }[]>`
          select count(*)::int as waiting from cohorts
          where team_id = ${team.id} and deleted_at is null
            and (evaluation_status <> 'ready' or not is_caught_up)`,
      );
      return waiting === 0;
    },
    600_000,
  );
  note('all followers are evaluated');
  const amount = perSecond * seconds;
  const contacts = await database.read(
    (sql) => sql<{ id: string }[]>`
      select id from contacts
      where team_id = ${team.id} and status = 'active' and (attributes->>'score')::int >= 50 and consents->'email'->>'status' = 'subscribed'
      limit ${amount}`,
    patient,
  );
  const placeOf = new Map(contacts.map(({ id }, at) => [id, (at * 2) % followers]));
  /** Answered, and not yet seen in the cohort of its place. */
  const waiting = new Map<string, { cohort: string; atMs: number }>();
  const latencies: number[] = [];
  let isOver = false;
  const watching = (async () => {
    while (!isOver || waiting.size > 0) {
      const asked = [...waiting];
      const lookedAtMs = performance.now();
      const rows = await database.read(
        (sql) => sql<{ contact_id: string }[]>`
          select m.contact_id from unnest(${asked.map(([id]) => id)}::uuid[],
            ${asked.map(([, { cohort }]) => cohort)}::uuid[]) as w (contact, cohort)
          join cohort_members m on m.team_id = ${team.id} and m.contact_id = w.contact
            and m.cohort_id = w.cohort`,
        patient,
      );
      for (const row of rows) {
        const known = waiting.get(row.contact_id);
        if (known) latencies.push(Math.max(0, lookedAtMs - known.atMs));
        waiting.delete(row.contact_id);
      }
      await pause(25);
    }
  })();
  let next = 0;
  const used = () => ({
    api: cpuSecondsOf(machine.apis.map(({ pid }) => pid)),
    worker: cpuSecondsOf(machine.workers.map(({ pid }) => pid)),
    postgres: cpuSecondsOf([machine.postgres.pid]),
  });
  const before = used();
  const sent = await callAtARate(
    {
      method: 'PATCH',
      url: `${machine.bases[0] ?? ''}/v2/partner/contacts`,
      headers: { authorization: `Bearer ${team.token}`, 'content-type': 'application/json' },
      each() {
        const { id = '' } = contacts[next] ?? {};
        next += 1;
        const attributes = { place: placeOf.get(id) };
        return {
          path: `/v2/partner/contacts/${id}`,
          body: JSON.stringify({ attributes }),
        };
      },
    },
    { perSecond, amount: contacts.length },
    (text) => {
      const { id } = JSON.parse(text);
      const cohort = ids[placeOf.get(id) ?? 0] ?? '';
      waiting.set(id, { cohort, atMs: performance.now() });
    },
  );
  isOver = true;
  await Promise.race([watching, pause(120_000)]);
  const after = used();
  note(`changes: ${JSON.stringify(sent)}, ${String(waiting.size)} never followed`);
  report.add('cohorts.realtime_p50', { value: percentile(latencies, 0.5) / 1_000, unit: 's' });
  report.add(
    'cohorts.realtime_p99',
    {
      value: (waiting.size > 0 ? Infinity : percentile(latencies, 0.99)) / 1_000,
      unit: `s, ${String(perSecond)} changes/s, ${String(followers)} cohorts`,
    },
    { of: 'value', atMost: 2 },
  );
  for (const part of ['api', 'worker', 'postgres'] as const) {
    report.add(`cohorts.realtime_cpu.${part}`, {
      value: ((after[part] - before[part]) / contacts.length) * 1_000,
      unit: 'CPU-s per 1,000 changes',
    });
  }
}
