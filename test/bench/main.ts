import { writeFileSync } from 'node:fs';
import { readArguments, usage } from './arguments.ts';
import type { Arguments } from './arguments.ts';
import { createReport } from './report.ts';
import type { Report } from './report.ts';
import { cohorts } from './scenarios/cohorts.ts';
import { drain } from './scenarios/drain.ts';
import { endToEnd } from './scenarios/end-to-end.ts';
import { enrollment } from './scenarios/enrollment.ts';
import { exportContacts } from './scenarios/export.ts';
import { http } from './scenarios/http.ts';
import { importFile } from './scenarios/import.ts';
import { inbound } from './scenarios/inbound.ts';
import { insights } from './scenarios/insights.ts';
import { orchestration } from './scenarios/orchestration.ts';
import { secrets } from './scenarios/secrets.ts';
import { sends } from './scenarios/sends.ts';
import { soak } from './scenarios/soak.ts';
import { standing } from './scenarios/standing.ts';
import { webhooks } from './scenarios/webhooks.ts';
import { writes } from './scenarios/writes.ts';
import { openStand } from './stand.ts';
import type { Stand } from './stand.ts';

// `npm run bench`: the speed of the service compared with limits measured in the same run
// (docs/performance.md). Ends with 1 when an aim is missed.

const scenarios: Readonly<Record<string, (stand: Stand, report: Report) => Promise<void>>> = {
  http,
  writes,
  drain,
  'end-to-end': endToEnd,
  export: exportContacts,
  import: importFile,
  inbound,
  cohorts,
  enrollment,
  insights,
  orchestration,
  secrets,
  sends,
  standing,
  soak,
};

const alone = 'webhooks';
/** Takes an hour, and runs where it is named. */
const onRequest = 'soak';

const startedAt = performance.now();
const elapsed = () => ((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6);
const note = (line: string) => process.stderr.write(`${elapsed()} s  ${line}\n`);

async function run(given: Arguments): Promise<boolean> {
  const { names, json } = given;
  const report = createReport((line) => console.log(line));
  let isWhole = true;
  const play = async (name: string, scenario: () => Promise<void>) => {
    note(`${name} begins`);
    try {
      await scenario();
    } catch (error) {
      note(`${name} was given up: ${error instanceof Error ? (error.stack ?? '') : String(error)}`);
      isWhole = false;
    }
  };
  // First and alone: its products are started one after the other, with no other load.
  if (names.includes(alone)) await play(alone, () => webhooks({ ...given, note }, report));
  const others = names.filter((name) => name !== alone);
  if (others.length > 0) {
    const stand = await openStand({ ...given, note });
    for (const name of others) await play(name, async () => scenarios[name]?.(stand, report));
    await stand.close();
  }
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(report.figures, null, 2)}\n`);
  const missed = report.figures.filter(({ met }) => met === false);
  note(`${String(report.figures.length)} figures, ${String(missed.length)} aims missed`);
  return isWhole && missed.length === 0;
}

const known = [alone, ...Object.keys(scenarios)];
const usual = known.filter((name) => name !== onRequest);
try {
  process.exitCode = (await run(readArguments(known, usual))) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  console.error(usage);
  process.exitCode = 2;
}
process.exit();
