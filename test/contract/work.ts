import { expect } from '@jest/globals';
import { Context, asyncLocalStorage } from '@temporalio/activity';
import { replayInbound } from '../../activities/replay-inbound.ts';
import { refreshCohort } from '../../activities/refresh-cohort.ts';
import { runOperation } from '../../activities/run-operation.ts';
import { runTemplate } from '../../activities/run-template.ts';
import { roundActivity } from '../../src/platform/jobs/job.ts';
import type { Job } from '../../src/platform/jobs/job.ts';
import { connectDatabase } from '../../src/platform/database/client.ts';
import type { Database } from '../../src/platform/database/client.ts';
import type { Endpoint } from '../../src/platform/http/endpoint.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { observe, shapeOf, twinsOf } from './acts.ts';
import type { Check } from './check.ts';
import { newListener } from './isolation.ts';
import type { Neighbors } from './isolation.ts';
import { newFile } from './recipes/batch.ts';
import { newContact } from './recipes/contacts.ts';
import type { Scene } from './recipes/recipe.ts';
import { sampleOf } from './samples.ts';

// Work that a worker does for a request. It is called as Temporal calls it, but in this process.

/** A request, what there is before it, and the activity that comes of it. */
interface Work extends Pick<Scene, 'title' | 'body' | 'deed'> {
  of: string;
  does(workers: Workers, teamId: string, id: string): Promise<unknown>;
}
type Workers = ReturnType<typeof workersOf>;

/** The first round of a run. */
export const runRound: Work['does'] = ({ runs }, teamId, id) => runs(teamId, id);
const inTwoDays = () => Date.now() + 172_800_000;

const works: readonly Work[] = [
  { of: 'createBatchOperation', title: 'a batch is run', does: runRound },
  {
    of: 'createBatchOperation',
    title: 'a batch of a file is run',
    body: async (team, params) => ({
      operation_kind: 'contacts.bulk_upsert',
      upload_id: await newFile(team, params),
    }),
    does: runRound,
  },
  { of: 'retryBatchOperation', title: 'a retry is run', does: runRound },
  {
    of: 'evaluateCohort',
    title: 'a cohort is evaluated',
    deed: (team, params) => newContact(team, params),
    async does({ cohorts }, teamId, cohortId) {
      const { details, next } = await cohorts(teamId, cohortId, Date.now() + 1_000);
      return { details: details.replace(/\(\d+ ms\)/, ''), kind: next.kind };
    },
  },
  {
    of: 'scheduleTemplate',
    title: 'a template is launched in time',
    does: ({ templates }, teamId, templateId) => templates(teamId, templateId, inTwoDays()),
  },
  {
    of: 'replayInboundWebhooks',
    title: 'callbacks are replayed',
    does: ({ replays }, teamId, replayId) => replays(teamId, replayId),
  },
];

function workersOf({ keyring, config }: TestApi, database: Database) {
  const log = createLog('silent', 'worker');
  const { publicBaseUrl } = config;
  const { signal: stopping } = new AbortController();
  const common = { database, keyring, log, publicBaseUrl, stopping };
  const roundOf = (job: Job) => {
    const round = roundActivity(job, log);
    return async (teamId: string, id: string, asOfMs = Date.now()) => {
      const { next, ...found } = await round({ teamId, id, isSignaled: true, asOfMs });
      // The time of a wait depends on the moment.
      return { ...found, next: { ...next, ...(next.kind === 'wait' && { atMs: 0 }) } };
    };
  };
  return {
    runs: roundOf(runOperation({ ...common, share: 1 })),
    cohorts: roundOf(refreshCohort(common)),
    templates: roundOf(runTemplate({ ...common, halted: () => [] })),
    replays: roundOf(replayInbound(common)),
  };
}

/** Asks for the work; returns what its id is. */
async function askFor(team: TestTeam, endpoint: Endpoint, { body, deed }: Work): Promise<string> {
  const { path, params, headers, ...sample } = await sampleOf(team, endpoint);
  await deed?.(team, params);
  const sent = body ? await body(team, params) : sample.body;
  const reply = await team.post(path, sent, headers);
  return String(reply.body.id);
}

/** The activity context. */
const context = Object.create(Context.prototype, {
  heartbeat: { value: () => undefined },
  info: { value: { attempt: 1 } },
});

/** Provides the activities of a worker. */
export async function withWorkers(
  { api }: Pick<Neighbors, 'api'>,
  work: (
    does: (one: Pick<Work, 'does'>, teamId: string, id: string) => Promise<unknown>,
  ) => Promise<void>,
): Promise<void> {
  const { databaseUrl: url } = api.config;
  const settings = { url, maxConnections: 2, applicationName: 'tests', reusesPlans: true };
  const database = connectDatabase(settings);
  const workers = workersOf(api, database);
  try {
    await work((one, teamId, id) =>
      asyncLocalStorage.run(context, () => one.does(workers, teamId, id)),
    );
  } finally {
    await database.close();
  }
}

/** A worker does for a team what it does without a twin, and leaves the twin alone. */
async function tryWorks(neighbors: Neighbors, endpoint: Endpoint): Promise<void> {
  await withWorkers(neighbors, async (does) => {
    for (const work of works.filter((one) => one.of === endpoint.id)) {
      await tryWork(neighbors, endpoint, work, does);
    }
  });
}

async function tryWork(
  { api, rows, cells, during }: Neighbors,
  endpoint: Endpoint,
  work: Work,
  does: (one: Work, teamId: string, id: string) => Promise<unknown>,
): Promise<void> {
  const doFor = (team: TestTeam, id: string) =>
    observe(rows, team.id, () => does(work, team.id, id));
  const stranger = await newListener(api);
  const alone = await doFor(stranger, await askFor(stranger, endpoint, work));
  const team = await newListener(api);
  const id = await askFor(team, endpoint, work);
  const [twin] = twinsOf();
  try {
    await rows.copy(team.id, twin);
    const before = await rows.stateOf(twin);
    const done = await during(() => doFor(team, id));
    await cells.cell(`${work.title} as without a twin`, () => {
      expect(done.added).toEqual(alone.added);
      expect(shapeOf(done.result)).toEqual(shapeOf(alone.result));
    });
    await cells.cell(`${work.title}, and the twin is left alone`, async () => {
      expect(await rows.stateOf(twin)).toEqual(before);
    });
  } finally {
    await rows.remove(twin);
  }
}

/** The client of a batch may have lost a scope before the run. */
async function tryLostScope(neighbors: Neighbors, endpoint: Endpoint): Promise<void> {
  const { api, cells, during } = neighbors;
  const [work] = works.filter((one) => one.of === endpoint.id);
  if (!work) throw new Error(`${endpoint.id} leaves no work`);
  const team = await newListener(api);
  const id = await askFor(team, endpoint, work);
  await team.db.look(
    (sql) => sql`update operation_runs set scopes = '{}' where id = ${id} returning id`,
  );
  await withWorkers(neighbors, async (does) => {
    const outlook = await during(() => does(work, team.id, id));
    await cells.cell(`${endpoint.id}: a scope is missing by now`, () => {
      expect(outlook).toMatchObject({ next: { result: { outcome: 'failed', processed: 0 } } });
    });
  });
}

export const workChecks: readonly Check[] = [
  {
    title: 'a worker keeps teams apart',
    about: 'teams',
    appliesTo: ({ id }) => works.some((work) => work.of === id),
    run: tryWorks,
  },
  {
    title: 'a worker asks for the scopes of an operation again',
    about: 'scopes',
    appliesTo: ({ id }) => id === 'createBatchOperation',
    run: tryLostScope,
  },
];
