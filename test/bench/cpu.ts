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

/** CPU seconds used so far by processes and all that descend from them, the ended ones included. */
export function cpuSecondsOf(pids: readonly number[]): number {
  const usages = readUsages();
  const belongs = (pid: number): boolean => {
    if (pids.includes(pid)) return true;
    const parent = usages.get(pid)?.parent ?? 0;
    return parent > 1 && belongs(parent);
  };
  let sum = 0;
  for (const [pid, { seconds }] of usages) if (belongs(pid)) sum += seconds;
  return sum;
}
