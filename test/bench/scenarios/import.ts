import { setImmediate as nextTurn } from 'node:timers/promises';
import { openMachine } from '../../world/machine.ts';
import type { Machine } from '../../world/machine.ts';
import { pause } from '../../world/moments.ts';
import { newTeam } from '../../world/teams.ts';
import type { Team } from '../../world/teams.ts';
import { cpuSecondsOf } from '../cpu.ts';
import { callAtARate } from '../load.ts';
import { residentMb } from '../memory.ts';
import { median } from '../report.ts';
import type { Report } from '../report.ts';
import { postContact } from '../stand.ts';
import type { Stand } from '../stand.ts';

const chunkRows = 500;
/** Rows of an import during other measurements: more would not change the result. */
const maxRowsWithSubscription = 100_000;
const neighbor = { perSecond: 50, amount: 500 };

/**
 * A CSV file of contacts, from its upload to its last result: without a CPU limit against a bare
 * insert of the same rows, with the worker's memory; and with it, the effect on other teams.
 */
export async function importFile(stand: Stand, report: Report): Promise<void> {
  await withoutBrake(stand, report);
  await besideOthers(stand, report);
}

async function withoutBrake({ rounds, rows, note, sinkUrl }: Stand, report: Report): Promise<void> {
  const machine = await openMachine({
    ...{ name: 'bench-import', apis: 1, workers: 1, onNotice: note },
    settings: { LOG_LEVEL: 'error', BATCH_CPU_SHARE: '1' },
  });
  try {
    const figures = { limit: [] as number[], ours: [] as number[], heard: [] as number[] };
    const cpu = { limit: [] as number[], worker: [] as number[], postgres: [] as number[] };
    const used = () => ({
      worker: cpuSecondsOf(machine.workers.map(({ pid }) => pid)),
      postgres: cpuSecondsOf([machine.postgres.pid]),
    });
    let idleMb = Infinity;
    let maxMb = 0;
    for (let round = 0; round < rounds; round += 1) {
      const beforeRaw = used();
      const bound = await insertRaw(machine, rows);
      const beforeOwn = used();
      const before = residentMb(machine);
      const own = await runImport(machine, await newTeam(machine), rows);
      const afterOwn = used();
      cpu.limit.push((beforeOwn.postgres - beforeRaw.postgres) / (rows / 1_000));
      cpu.worker.push((afterOwn.worker - beforeOwn.worker) / (rows / 1_000));
      cpu.postgres.push((afterOwn.postgres - beforeOwn.postgres) / (rows / 1_000));
      const subscribed = await newTeam(machine);
      await subscribed.must('POST', '/v2/partner/webhook-subscriptions', {
        target_url: sinkUrl,
        event_types: ['contact.created'],
      });
      const heard = await runImport(machine, subscribed, Math.min(rows, maxRowsWithSubscription));
      idleMb = Math.min(idleMb, before);
      maxMb = Math.max(maxMb, own.maxMb);
      figures.limit.push(bound);
      figures.ours.push(own.perSecond);
      figures.heard.push(heard.perSecond);
      note(
        `import round ${String(round + 1)}: ${own.perSecond.toFixed(0)} and ${heard.perSecond.toFixed(0)} beside ${bound.toFixed(0)} rows/s, ${own.maxMb.toFixed(0)} MB`,
      );
    }
    const limit = median(figures.limit);
    report.add(
      'import.rows',
      { value: median(figures.ours), unit: 'rows/s', limit },
      { of: 'ratio', atLeast: 0.5 },
    );
    report.add('import.rows_with_subscription', {
      ...{ value: median(figures.heard), unit: 'rows/s', limit },
    });
    report.add('import.cpu_postgres', {
      ...{ value: median(cpu.postgres), unit: 'CPU-s per 1,000', limit: median(cpu.limit) },
    });
    report.add('import.cpu_worker', { value: median(cpu.worker), unit: 'CPU-s per 1,000' });
    report.add('import.worker_memory', { value: maxMb, unit: 'MB' }, { of: 'value', atMost: 300 });
    report.add('import.worker_memory_idle', { value: idleMb, unit: 'MB' });
  } finally {
    await machine.close({ keepLogs: false });
  }
}

/** Requests of another team, alone and while a file is imported at the share that is the default. */
async function besideOthers(stand: Stand, report: Report): Promise<void> {
  const { machine, base, rounds, rows, note } = stand;
  const request = postContact(base, [await stand.newTeam()]);
  const alone: number[] = [];
  const beside: number[] = [];
  await callAtARate(request, neighbor, () => undefined);
  for (let round = 0; round < rounds; round += 1) {
    const before = await callAtARate(request, neighbor, () => undefined);
    const importing = runImport(
      machine,
      await stand.newTeam(),
      Math.min(rows, maxRowsWithSubscription),
    );
    const during = await callAtARate(request, neighbor, () => undefined);
    const { perSecond } = await importing;
    alone.push(before.p99Ms);
    beside.push(during.p99Ms);
    note(
      `import beside others, round ${String(round + 1)}: p99 ${during.p99Ms.toFixed(1)} beside ${before.p99Ms.toFixed(1)} ms, ${perSecond.toFixed(0)} rows/s`,
    );
  }
  report.add(
    'import.others_p99',
    { value: beside, unit: 'ms', limit: alone },
    { of: 'ratio', atMost: 1.5 },
  );
}

/** Sends a file and has it applied; memory is looked at ten times a second. */
async function runImport(machine: Machine, team: Team, rows: number) {
  const [base = ''] = machine.bases;
  const authorization = { Authorization: `Bearer ${team.token}` };
  const sent = await fetch(`${base}/v2/batch/uploads`, {
    method: 'POST',
    headers: { ...authorization, 'Content-Type': 'text/csv' },
    body: ReadableStream.from(csvOf(rows)),
    ...{ duplex: 'half' },
  });
  const upload: any = await sent.json();
  if (sent.status !== 201) throw new Error(`the upload is refused: ${JSON.stringify(upload)}`);
  const asked = await team.call(
    'POST',
    '/v2/batch/operations',
    { operation_kind: 'contacts.bulk_upsert', upload_id: upload.id },
    `import-${String(upload.id)}`,
  );
  if (asked.status !== 202) throw new Error(`the batch is refused: ${JSON.stringify(asked.body)}`);
  let maxMb = 0;
  for (;;) {
    for (let look = 0; look < 5; look += 1) {
      maxMb = Math.max(maxMb, residentMb(machine));
      await pause(100);
    }
    const run = await team.must('GET', `/v2/batch/operations/${String(asked.body.id)}`);
    if (['succeeded', 'succeeded_with_errors', 'failed'].includes(String(run.status))) {
      if (run.succeeded_count !== rows) throw new Error(`not all rows: ${JSON.stringify(run)}`);
      const ms = Date.parse(String(run.completed_at)) - Date.parse(String(run.started_at));
      return { perSecond: rows / (ms / 1_000), maxMb };
    }
  }
}

const cellsOf = (row: number) => [
  `customer-${String(row)}`,
  `person-${String(row)}@example.com`,
  `Robin ${String(row % 977)}`,
  `"Miller, ${String(row % 1_009)}"`,
  `+1415${String(5_550_000 + (row % 4_000_000)).padStart(7, '0')}`,
  'en-US',
  'gold;branch-7',
  String(row % 90),
];

/**
 * As a core system would export it; every row has a cell in quotes. Other requests of this process go
 * on between two parts.
 */
async function* csvOf(rows: number): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  yield encoder.encode(
    'unique_id,email,first_name,last_name,phone,locale,tags,attributes.branch\r\n',
  );
  for (let row = 0; row < rows; row += chunkRows) {
    const lines = Array.from({ length: Math.min(chunkRows, rows - row) }, (_, at) =>
      cellsOf(row + at).join(','),
    );
    yield encoder.encode(`${lines.join('\r\n')}\r\n`);
    await nextTurn();
  }
}

/** The same rows into a table of the same shape, as many to a transaction; rows in a second. */
async function insertRaw({ database }: Machine, rows: number): Promise<number> {
  await database.read(async (sql) => {
    await sql`drop table if exists raw_contacts`;
    await sql`create table raw_contacts (like contacts including all)`;
  });
  const teamId = '00000000-0000-4000-8000-000000000000';
  const consent = JSON.stringify({ status: 'never' });
  const consents = `{"email":${consent},"sms":${consent},"push":${consent}}`;
  const startedAt = performance.now();
  for (let row = 0; row < rows; row += chunkRows) {
    const all = Array.from({ length: Math.min(chunkRows, rows - row) }, (_, at) =>
      cellsOf(row + at),
    );
    const column = (at: number) => all.map((cells) => cells[at] ?? '');
    await database.transact(
      (sql) => sql`
        insert into raw_contacts (team_id, id, unique_id, email, first_name, last_name, phone,
          locale, tags, attributes, consents)
        select ${teamId}, gen_random_uuid(), a, b, c, d, e, f, string_to_array(g, ';'),
          jsonb_build_object('branch', h), ${consents}::text::jsonb
        from unnest(${column(0)}::text[], ${column(1)}::text[], ${column(2)}::text[],
          ${column(3)}::text[], ${column(4)}::text[], ${column(5)}::text[], ${column(6)}::text[],
          ${column(7)}::text[]) as w (a, b, c, d, e, f, g, h)`,
    );
  }
  return rows / ((performance.now() - startedAt) / 1_000);
}
