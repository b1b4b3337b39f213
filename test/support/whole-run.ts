/** The part of a run of jest, and of the project that it runs, by which files are chosen. */
export interface Run {
  testPathPatterns: { isSet(): boolean };
  testNamePattern?: string;
  nonFlagArgs: readonly string[];
  shard?: object;
  onlyChanged: boolean;
  onlyFailures: boolean;
}
export interface Project {
  testMatch: readonly string[];
}

/** Whether every test file runs: only then are unreached values known. */
export function isWholeRun(run: Run, project: Project): boolean {
  const { testPathPatterns, testNamePattern, nonFlagArgs, shard } = run;
  const isNarrowed = testPathPatterns.isSet() || Boolean(testNamePattern) || nonFlagArgs.length > 0;
  // The run of mutants names its one file.
  const isOther = project.testMatch.some((glob) => glob.endsWith('/suite.ts'));
  return !isNarrowed && !isOther && shard === undefined && !run.onlyChanged && !run.onlyFailures;
}
