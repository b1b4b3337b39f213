import { readFileSync } from 'node:fs';
import { openMachine } from '../../world/machine.ts';
import type { Machine } from '../../world/machine.ts';
import { pause } from '../../world/moments.ts';
import { newTeam } from '../../world/teams.ts';
import type { Team } from '../../world/teams.ts';
import type { Report } from '../report.ts';
import { patient, seedTeam } from '../seed.ts';
import type { Stand } from '../stand.ts';

/**
 * A team's contacts as a CSV file, from the request to the last part, against `copy` of the same
 * rows to nowhere; with the most memory that the worker held meanwhile.
 */
export async function exportContacts({ rounds, rows, note }: Stand, report: Report): Promise<void> {
  const machine = await openMachine({
    ...{ name: 'bench-export', apis: 1, workers: 1, onNotice: note },
    settings: { LOG_LEVEL: 'error', BATCH_CPU_SHARE: '1' },
  });
  try {
    const team = await newTeam(machine);
    await seedTeam(machine, team, rows, note);
    const figures = { limit: [] as number[], ours: [] as number[], mb: [] as number[] };
    const idleMb = residentMb(machine);
    for (let round = 0; round < rounds; round += 1) {
      const limit = await copyRaw(machine, team.id, rows);
      const own = await runExport(machine, team, rows);
      figures.limit.push(limit);
      figures.ours.push(own.perSecond);
      figures.mb.push(own.maxMb);
      note(
        `export round ${String(round + 1)}: ${own.perSecond.toFixed(0)} beside ${limit.toFixed(0)} rows/s, ${own.maxMb.toFixed(0)} MB`,
      );
    }
    const { ours: value, limit } = figures;
    report.add('export.rows', { value, unit: 'rows/s', limit });
    const most = Math.max(...figures.mb);
    report.add('export.worker_memory', { value: most, unit: 'MB' }, { of: 'value', atMost: 300 });
    report.add('export.worker_memory_idle', { value: idleMb, unit: 'MB' });
  } finally {
    await machine.close({ keepLogs: false });
  }
}

async function copyRaw({ database }: Machine, teamId: string, rows: number): Promise<number> {
  const startedAt = performance.now();
  await database.read(
    (sql) =>
      sql.unsafe(
        `copy (select * from contacts where team_id = '${teamId}' order by id) to '/dev/null' csv`,
      ),
    patient,
  );
  return rows / ((performance.now() - startedAt) / 1_000);
}

async function runExport(machine: Machine, team: Team, rows: number) {
  const asked = await team.must('POST', '/v2/partner/exports', { kind: 'contacts' });
  let maxMb = 0;
  for (;;) {
    for (let look = 0; look < 5; look += 1) {
      maxMb = Math.max(maxMb, residentMb(machine));
      await pause(100);
    }
    const row = await team.must('GET', `/v2/partner/exports/${String(asked['id'])}`);
    if (row['status'] === 'failed') throw new Error(JSON.stringify(row));
    if (row['status'] !== 'succeeded') continue;
    if (row['row_count'] !== rows) throw new Error(`not all rows: ${JSON.stringify(row)}`);
    const ms = Date.parse(String(row['completed_at'])) - Date.parse(String(row['started_at']));
    return { perSecond: rows / (ms / 1_000), maxMb };
  }
}

/** Resident memory of the worker. */
function residentMb({ workers }: Machine): number {
  const [worker] = workers;
  const status = readFileSync(`/proc/${String(worker?.pid)}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_024;
}
