import { Connection } from '@temporalio/client';
import { changeSchema } from '../../../src/platform/database/change-schema.ts';
import { takePorts } from '../../support/ports.ts';
import { comesTrue, mustComeTrue, offer, pause } from '../../world/moments.ts';
import { startMember } from '../../world/processes.ts';
import type { Member } from '../../world/processes.ts';
import { newTeam } from '../../world/teams.ts';
import type { Team } from '../../world/teams.ts';
import { compare, maxLateness, readBooks, readTransitions } from '../books.ts';
import type { Report } from '../report.ts';
import { addContact, newSubscribedTeam, scheduleTemplate } from '../teams.ts';
import type { World } from '../world.ts';

const teamCount = 20;
const sizes = {
  full: { perSecond: 500, templates: 200, batches: 20, items: 1_000, stepMs: 10_000 },
  short: { perSecond: 200, templates: 40, batches: 4, items: 200, stepMs: 3_000 },
};
const deploymentName = 'onward';
const batchPath = '/v2/batch/operations';

/**
 * A new version of the workers is ramped in under load, taken back, and rolled out, while the
 * schema is changed as a next version would: nothing is lost, done twice or noticed by a receiver.
 */
export async function upgrade(world: World, report: Report): Promise<void> {
  const { isShort, ledger, note } = world;
  const size = isShort ? sizes.short : sizes.full;
  const versions = await openDeployment(world);
  const before = await versions.start('before');
  await versions.makeCurrent('before');
  await Promise.all(world.workers.map((worker) => worker.stop()));

  const teams = await Promise.all(
    Array.from({ length: teamCount }, () => newSubscribedTeam(world)),
  );
  const batches = await Promise.all(
    Array.from({ length: size.batches }, (_, at) => askBatch(world, at, size.items)),
  );
  const spanMs = size.stepMs * 6;
  const random = world.random.fork('upgrade');
  const templates: string[] = [];
  for (let at = 0; at < size.templates; at += 1) {
    const launchAtMs = Date.now() + random.between(size.stepMs, spanMs / 2);
    const expireAtMs = launchAtMs + random.between(spanMs / 4, spanMs / 2);
    const team = teams[at % teamCount];
    if (team) templates.push(await scheduleTemplate(team, { launchAtMs, expireAtMs }));
  }

  const acknowledged = new Map<Team, Set<string>>(teams.map((team) => [team, new Set()]));
  let refused = 0;
  let isOver = false;
  const offering = offer(
    { perSecond: size.perSecond, limit: 256, until: () => isOver },
    async (index) => {
      const team = teams[index % teamCount];
      const id = team && (await addContact(team, `upgrade-${String(index)}`));
      if (team === undefined || id === undefined) refused += 1;
      else acknowledged.get(team)?.add(id);
    },
  );
  await pause(size.stepMs);
  const after = await versions.start('after');
  note('the new version has started');
  await versions.ramp('after', 20);
  await pause(size.stepMs);
  await versions.makeCurrent('after');
  note('the new version is current');
  await pause(size.stepMs);
  await expandSchema(world);
  note('the schema is that of the next version');
  await pause(size.stepMs);
  await versions.makeCurrent('before');
  note('the old version is current again');
  await pause(size.stepMs);
  await versions.makeCurrent('after');
  await before.stop();
  note('the old version has ended');
  await pause(size.stepMs);
  isOver = true;
  const offered = await offering;
  const endedAtMs = Date.now();

  const isDrained = () =>
    [...acknowledged].every(([team, contacts]) =>
      [...contacts].every((id) => ledger.has(team.id, 'contact.created', id)),
    );
  await comesTrue(isDrained, 60_000, 250);
  await comesTrue(async () => (await openBatches(batches)) === 0, 120_000, 500);
  await comesTrue(
    async () => (await expiredOnce(world, templates)) === templates.length,
    60_000,
    500,
  );
  await comesTrue(async () => (await readBooks(world, teams)).undelivered === 0, 30_000, 1_000);

  const found = compare(world, await readBooks(world, teams), acknowledged);
  report.atLeast('upgrade.events', offered, size.perSecond * (spanMs / 1_000) * 0.8);
  report.exactly('upgrade.unacknowledged', refused, 0);
  report.exactly('upgrade.lost', found.lost, 0);
  report.exactly('upgrade.events_doubled', found.doubled, 0);
  report.exactly(
    'upgrade.templates_expired_once',
    await expiredOnce(world, templates),
    templates.length,
  );
  // Two cores are full with three workers, and Temporal waits ten seconds for the worker that had a
  // workflow in its cache and has ended.
  report.atMost('upgrade.latest_expiry_seconds', (await maxLateness(world, templates)) / 1_000, 30);
  report.exactly('upgrade.batches_succeeded', await succeeded(batches), batches.length);
  report.atMost('upgrade.longest_pause_seconds', longestGap(world, teams, endedAtMs) / 1_000, 2);
  report.exactly('upgrade.failed_workflow_tasks', await versions.failedTasks(), 0);
  await after.stop();
  await versions.close();
}

/** Columns, a table and an index, as a version adds them before its code uses them. */
async function expandSchema({ database }: World): Promise<void> {
  await changeSchema(database, async (sql) => {
    await sql`alter table contacts add column next_version_text text`;
    await sql`alter table webhook_deliveries add column next_version_count int not null default 0`;
    await sql`alter table templates add column next_version_flag boolean not null default false`;
    await sql`alter table operation_runs add column next_version_list int[]`;
    await sql`create table next_version (team_id uuid not null, id uuid primary key)`;
    await sql`create index next_version_index on webhook_subscriptions (team_id, inserted_at)`;
  });
}

async function openDeployment({ temporal, environment, directory, note }: World) {
  const connection = await Connection.connect({ address: temporal.address });
  const namespace = environment['TEMPORAL_NAMESPACE'] ?? 'default';
  const sdkPorts: number[] = [];
  const deployment = { namespace, deploymentName };
  const service = connection.workflowService;
  /** The server knows a version some moments after its worker polls. */
  const accept = (what: string, ask: () => Promise<unknown>) =>
    mustComeTrue(
      what,
      () =>
        ask().then(
          () => true,
          () => false,
        ),
      30_000,
      250,
    );

  return {
    async start(buildId: string): Promise<Member> {
      const [port = 0, sdkPort = 0] = await takePorts(2);
      sdkPorts.push(sdkPort);
      return startMember({
        name: `worker-${buildId}`,
        entry: 'src/worker.ts',
        url: `http://127.0.0.1:${String(port)}`,
        env: {
          ...environment,
          METRICS_PORT: String(port),
          TEMPORAL_METRICS_PORT: String(sdkPort),
          TEMPORAL_WORKER_BUILD_ID: buildId,
        },
        nodeArguments: [],
        directory,
        onNotice: note,
      });
    },
    makeCurrent: (buildId: string) =>
      accept(`${buildId} is current`, () =>
        service.setWorkerDeploymentCurrentVersion({ ...deployment, buildId }),
      ),
    ramp: (buildId: string, percentage: number) =>
      accept(`${buildId} is ramped`, () =>
        service.setWorkerDeploymentRampingVersion({ ...deployment, buildId, percentage }),
      ),
    /** Failed workflow tasks of the workers that still run, such as those of other code. */
    async failedTasks(): Promise<number> {
      const texts = await Promise.all(
        sdkPorts.map((port) =>
          fetch(`http://127.0.0.1:${String(port)}/metrics`).then(
            (response) => response.text(),
            () => '',
          ),
        ),
      );
      const values = texts
        .flatMap((text) => text.split('\n'))
        .filter((line) => line.startsWith('temporal_workflow_task_execution_failed'))
        .map((line) => Number(line.split(' ').at(-1)));
      return values.reduce((sum, value) => sum + value, 0);
    },
    close: () => connection.close(),
  };
}

interface Batch {
  team: Team;
  path: string;
}

async function askBatch(world: World, at: number, items: number): Promise<Batch> {
  const team = await newTeam(world);
  const { body } = await team.call(
    'POST',
    batchPath,
    {
      operation_kind: 'contacts.bulk_upsert',
      items: Array.from({ length: items }, (_, item) => ({ unique_id: `${at}-${item}` })),
    },
    `upgrade-batch-${String(at)}`,
  );
  return { team, path: `${batchPath}/${String(body.id)}` };
}

const statusesOf = (batches: readonly Batch[]) =>
  Promise.all(batches.map(async ({ team, path }) => String((await team.must('GET', path)).status)));

const openBatches = async (batches: readonly Batch[]) =>
  (await statusesOf(batches)).filter((status) => !/^(succeeded|failed|canceled)/.test(status))
    .length;

const succeeded = async (batches: readonly Batch[]) =>
  (await statusesOf(batches)).filter((status) => status === 'succeeded').length;

async function expiredOnce(world: World, templates: readonly string[]): Promise<number> {
  const transitions = await readTransitions(world, templates);
  const once = (wanted: string) =>
    transitions.filter(({ action, count }) => action === wanted && count === 1).length;
  return Math.min(once('launch'), once('expire'));
}

/** The longest time without a post while events were made. */
function longestGap({ ledger }: World, teams: readonly Team[], endedAtMs: number): number {
  const times = teams
    .flatMap((team) => ledger.entriesOf(team.id))
    .map(({ firstAtMs }) => firstAtMs)
    .filter((atMs) => atMs <= endedAtMs)
    .sort((a, b) => a - b);
  return times.reduce((longest, atMs, at) => Math.max(longest, atMs - (times[at - 1] ?? atMs)), 0);
}
