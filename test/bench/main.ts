import { writeFileSync } from 'node:fs';
import { readArguments, usage } from './arguments.ts';
import type { Arguments } from './arguments.ts';
import { createReport } from './report.ts';
import type { Report } from './report.ts';
import { cohorts } from './scenarios/cohorts.ts';
import { drain } from './scenarios/drain.ts';
import { endToEnd } from './scenarios/end-to-end.ts';
import { exportContacts } from './scenarios/export.ts';
import { http } from './scenarios/http.ts';
import { importFile } from './scenarios/import.ts';
import { inbound } from './scenarios/inbound.ts';
import { orchestration } from './scenarios/orchestration.ts';
import { sends } from './scenarios/sends.ts';
import { standing } from './scenarios/standing.ts';
import { openStand } from './stand.ts';
import type { Stand } from './stand.ts';

// `npm run bench`: how fast the service is beside limits that are measured in the same run
// (docs/performance.md). Ends with 1 when an aim is missed.

const scenarios: Readonly<Record<string, (stand: Stand, report: Report) => Promise<void>>> = {
  http,
  drain,
  'end-to-end': endToEnd,
  export: exportContacts,
  import: importFile,
  inbound,
  cohorts,
  orchestration,
  sends,
  standing,
};

const startedAt = performance.now();
const elapsed = () => ((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6);
const note = (line: string) => process.stderr.write(`${elapsed()} s  ${line}\n`);

async function run({ names, rounds, rows, contacts, json, profile }: Arguments): Promise<boolean> {
  const report = createReport((line) => console.log(line));
  const stand = await openStand({ rounds, rows, contacts, note, profile });
  let isWhole = true;
  for (const name of names) {
    note(`${name} begins`);
    try {
      await scenarios[name]?.(stand, report);
    } catch (error) {
      note(`${name} was given up: ${error instanceof Error ? (error.stack ?? '') : String(error)}`);
      isWhole = false;
    }
  }
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(report.figures, null, 2)}\n`);
  await stand.close();
  const missed = report.figures.filter(({ met }) => met === false);
  note(`${String(report.figures.length)} figures, ${String(missed.length)} aims missed`);
  return isWhole && missed.length === 0;
}

try {
  process.exitCode = (await run(readArguments(Object.keys(scenarios)))) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  console.error(usage);
  process.exitCode = 2;
}
process.exit();
