export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** Lowest and highest of the rounds that the value stands for; null for a single measurement. */
  spread: readonly [number, number] | null;
  /** A limit measured in the same run, to compare with the value; null where there is none. */
  limit: number | null;
  /** value / limit. */
  ratio: number | null;
  /** Such as "ratio >= 0.6"; null for a figure without an aim. */
  aim: string | null;
  met: boolean | null;
}

interface Measured {
  /** One value, or those of all rounds: then the median is reported, with their spread. */
  value: number | readonly number[];
  /** Reports the highest of the rounds instead: one bad round of a latency must not vanish. */
  isWorst?: boolean;
  unit: string;
  limit?: number | readonly number[];
}

interface Aim {
  /** The subject of the aim. */
  of: 'value' | 'ratio';
  atLeast?: number;
  atMost?: number;
}

export type Report = ReturnType<typeof createReport>;

/** Prints each figure as one line, and keeps it. */
export function createReport(print: (line: string) => void) {
  const figures: Figure[] = [];
  return {
    figures,
    /** A figure with an aim, or without one if it only accompanies another. */
    add(name: string, measured: Measured, aim?: Aim) {
      const { value: given, isWorst = false, unit } = measured;
      const rounds = typeof given === 'number' ? [given] : given;
      const value = isWorst ? Math.max(...rounds) : median(rounds);
      const limit = typeof measured.limit === 'object' ? median(measured.limit) : measured.limit;
      const ratio = limit === undefined ? null : round(value / limit);
      const figure: Figure = {
        name,
        value: round(value),
        unit,
        spread: rounds.length > 1 ? [round(Math.min(...rounds)), round(Math.max(...rounds))] : null,
        limit: limit === undefined ? null : round(limit),
        ratio,
        aim: aim ? textOf(aim) : null,
        met: aim ? isMet(aim, aim.of === 'value' ? value : (ratio ?? Number.NaN)) : null,
      };
      figures.push(figure);
      print(lineOf(figure));
    },
  };
}

function isMet({ atLeast = -Infinity, atMost = Infinity }: Aim, value: number): boolean {
  return value >= atLeast && value <= atMost;
}

function textOf({ of, atLeast, atMost }: Aim): string {
  return atLeast === undefined ? `${of} <= ${String(atMost)}` : `${of} >= ${String(atLeast)}`;
}

function lineOf({ name, value, unit, spread, limit, ratio, aim, met }: Figure): string {
  const rounds = spread === null ? '' : ` rounds=${spread.join('..')}`;
  const held = limit === null ? '' : ` limit=${String(limit)} ratio=${String(ratio)}`;
  const aimed = aim === null ? '' : ` aim="${aim}" met=${met === true ? 'yes' : 'no'}`;
  return `bench ${name}=${String(value)} ${unit}${rounds}${held}${aimed}`;
}

/** Three digits that matter. */
function round(value: number): number {
  return Number(value.toPrecision(value >= 1_000 ? 5 : 3));
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
