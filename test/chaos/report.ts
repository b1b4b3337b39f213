export interface Figure {
  name: string;
  value: number;
  target: string;
  met: boolean;
}

export interface Report {
  figures: readonly Figure[];
  isMet(name: string, value: number, target: string, met: boolean): void;
  exactly(name: string, value: number, wanted: number): void;
  atMost(name: string, value: number, limit: number): void;
  atLeast(name: string, value: number, limit: number): void;
  between(name: string, value: number, low: number, high: number): void;
}

/** Prints each figure as one line, and keeps it. */
export function createReport(print: (line: string) => void): Report {
  const figures: Figure[] = [];
  function isMet(name: string, exact: number, target: string, met: boolean) {
    const value = Math.round(exact * 1_000) / 1_000;
    figures.push({ name, value, target, met });
    print(`chaos ${name}=${value} target=${target} met=${met ? 'yes' : 'no'}`);
  }
  return {
    figures,
    isMet,
    exactly: (name, value, wanted) => isMet(name, value, String(wanted), value === wanted),
    atMost: (name, value, limit) => isMet(name, value, `<=${String(limit)}`, value <= limit),
    atLeast: (name, value, limit) => isMet(name, value, `>=${String(limit)}`, value >= limit),
    between: (name, value, low, high) =>
      isMet(name, value, `${String(low)}..${String(high)}`, value >= low && value <= high),
  };
}
