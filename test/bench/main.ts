import { writeFileSync } from 'node:fs';
import { readArguments, usage } from './arguments.ts';
import type { Arguments } from './arguments.ts';
import { logPlans } from '../world/plan-log.ts';
import { createReport } from './report.ts';
import type { Report } from './report.ts';
import { cohorts } from './scenarios/cohorts.ts';
import { drain } from './scenarios/drain.ts';
import { drainSteps } from './scenarios/drain-steps.ts';
import { endToEnd } from './scenarios/end-to-end.ts';
import { enrollment } from './scenarios/enrollment.ts';
import { exportContacts } from './scenarios/export.ts';
import { http } from './scenarios/http.ts';
import { importFile } from './scenarios/import.ts';
import { inbound } from './scenarios/inbound.ts';
import { insights } from './scenarios/insights.ts';
import { orchestration } from './scenarios/orchestration.ts';
import { publish } from './scenarios/publish.ts';
import { secrets } from './scenarios/secrets.ts';
import { sends } from './scenarios/sends.ts';
import { soak } from './scenarios/soak.ts';
import { standing } from './scenarios/standing.ts';
import { teams } from './scenarios/teams.ts';
import { tracing } from './scenarios/tracing.ts';
import { webhooks } from './scenarios/webhooks.ts';
import type { WebhooksOptions } from './scenarios/webhooks.ts';
import { writes } from './scenarios/writes.ts';
import { openStand } from './stand.ts';
import type { Stand } from './stand.ts';

// `npm run bench`: the speed of the service compared with limits measured in the same run
// (docs/performance.md). Ends with 1 when an aim is missed.

const scenarios: Readonly<Record<string, (stand: Stand, report: Report) => Promise<void>>> = {
  http,
  writes,
  drain,
  'drain-steps': drainSteps,
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
  teams,
  soak,
};

/** First and alone: their products are started by themselves, with no other load. */
const alone: Readonly<Record<string, (options: WebhooksOptions, report: Report) => Promise<void>>> =
  { webhooks, publish, tracing };
/** They run where they are named: one takes an hour, the others compare with peers or settings. */
const onRequest = ['drain-steps', 'soak', 'publish', 'tracing'];

const startedAt = performance.now();
const elapsed = () => ((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6);
const note = (line: string) => process.stderr.write(`${elapsed()} s  ${line}\n`);

async function run(given: Arguments): Promise<boolean> {
  const { names, json, logsPlans } = given;
  if (logsPlans) logPlans();
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
  for (const [name, scenario] of Object.entries(alone))
    if (names.includes(name)) await play(name, () => scenario({ ...given, note }, report));
  const others = names.filter((name) => !(name in alone));
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

const known = [...Object.keys(alone), ...Object.keys(scenarios)];
const usual = known.filter((name) => !onRequest.includes(name));
try {
  process.exitCode = (await run(readArguments(known, usual))) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  console.error(usage);
  process.exitCode = 2;
}
process.exit();
