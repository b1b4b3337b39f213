import { readdirSync, readFileSync } from 'node:fs';

/** Ticks of /proc/<pid>/stat in a second, on every Linux that Node runs on. */
const ticksPerSecond = 100;

interface Usage {
  parent: number;
  seconds: number;
}

function readUsages(): Map<number, Usage> {
  const usages = new Map<number, Usage>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // The command, in parentheses, may hold anything.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
      usages.set(Number(name), { parent: Number(fields[1]), seconds: ticks / ticksPerSecond });
    } catch {
      // It ended meanwhile.
    }
  }
  return usages;
}

/** Processes and all that descend from them. */
function familyOf(pids: readonly number[], usages: ReadonlyMap<number, Usage>): number[] {
  const belongs = (pid: number): boolean => {
    if (pids.includes(pid)) return true;
    const parent = usages.get(pid)?.parent ?? 0;
    return parent > 1 && belongs(parent);
  };
  return [...usages.keys()].filter(belongs);
}

/** CPU seconds used so far by processes and all that descend from them, the ended ones included. */
export function cpuSecondsOf(pids: readonly number[]): number {
  const usages = readUsages();
  return familyOf(pids, usages).reduce((sum, pid) => sum + (usages.get(pid)?.seconds ?? 0), 0);
}

/** Megabytes that processes and their descendants hold; what some share is counted once. */
export function megabytesOf(pids: readonly number[]): number {
  return familyOf(pids, readUsages()).reduce((sum, pid) => {
    try {
      const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
      return sum + Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) / 1_024;
    } catch {
      return sum;
    }
  }, 0);
}
