/** One promise about one endpoint, tried once. */
export interface Cells {
  /** Runs a check; its error is stored, so that the other cells of a test still run. */
  cell(name: string, check: () => Promise<void> | void): Promise<void>;
  /** Throws when a cell failed since the last call, and names each. */
  settle(): void;
  /** Writes one line: how many cells were tried and how many held. */
  report(): void;
}

/** Counts the cells of a generated suite. */
export function countCells(area: string): Cells {
  let tried = 0;
  let failed = 0;
  let open: string[] = [];
  return {
    async cell(name, check) {
      tried += 1;
      try {
        await check();
      } catch (error) {
        failed += 1;
        open.push(`${name}\n${plain(error)}`);
      }
    },
    settle() {
      const problems = open;
      open = [];
      if (problems.length > 0) throw new Error(problems.join('\n\n'));
    },
    report() {
      const passed = String(tried - failed);
      process.stdout.write(`${area} cells=${String(tried)} passed=${passed}\n`);
    },
  };
}

/** The text of a failed expectation without colours. */
function plain(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/\u001b\[\d+m/g, '').slice(0, 1_500);
}
