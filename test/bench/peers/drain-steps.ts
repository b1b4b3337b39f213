import { createLog } from '../../../src/platform/observability/log.ts';
import '../../../src/app/event-catalog.ts';
import { openKeyring, parseKeyFile } from '../../../src/platform/auth/keyring.ts';
import { readConfig } from '../../../src/platform/config.ts';
import { connectDatabase } from '../../../src/platform/database/client.ts';
import { acquireLease } from '../../../src/platform/database/leases.ts';
import { openListener } from '../../../src/platform/database/notify.ts';
import { createEgress } from '../../../src/platform/egress/client.ts';
import { createBusiestTeams } from '../../../src/platform/temporal/busiest-teams.ts';
import { createAttemptRecorder } from '../../../src/webhooks/dispatch/attempt-recorder.ts';
import { createFailureCounters } from '../../../src/webhooks/dispatch/failure-counters.ts';
import { drainLane } from '../../../src/webhooks/dispatch/lane-drain.ts';
import { dueColumns } from '../../../src/webhooks/dispatch/queries.ts';
import type { DueDelivery } from '../../../src/webhooks/dispatch/queries.ts';
import { createSender } from '../../../src/webhooks/dispatch/webhook-sender.ts';
import type { Attempted } from '../../../src/webhooks/dispatch/webhook-sender.ts';
import {
  keyOf,
  newSigningSecret,
  signedHeaders,
} from '../../../src/webhooks/webhook-subscriptions/secrets.ts';
import { answerQuestions } from '../child.ts';

// The steps of a drain in a process without Temporal. Each step includes those before it.

const underWay = 64;
/** Attempts that are stored together. */
const batch = 200;

const { webhooks: policy, databaseUrl = '' } = readConfig({ development: true });
const keyring = openKeyring(parseKeyFile(process.env['ONWARD_KEYS'] ?? ''));
const database = connectDatabase({
  ...{ url: databaseUrl, maxConnections: 6, applicationName: 'onward-bench', reusesPlans: true },
});
const egress = createEgress({ rules: policy, maxConnections: policy.maxConnections });
const sender = createSender({ database, clock: Date, keyring, egress, policy });
const recorder = createAttemptRecorder(
  database,
  createFailureCounters({ clock: Date, policy }),
  createLog('silent', 'bench'),
);
const secret = keyOf(newSigningSecret());
const { signal } = new AbortController();

/** Works on all deliveries, some at a time. */
async function each(
  deliveries: readonly DueDelivery[],
  work: (delivery: DueDelivery) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const loop = async () => {
    for (let one = deliveries[next++]; one; one = deliveries[next++]) await work(one);
  };
  await Promise.all(Array.from({ length: underWay }, loop));
}

const post = (url: string, { subscription_id: owner, body }: DueDelivery, headers = {}) =>
  egress.post({ url, owner, headers, body, timeoutMs: 15_000 });

const attempt = (delivery: DueDelivery) => sender.attempt(delivery, { isProbe: false, signal });

async function attemptAndStore(deliveries: readonly DueDelivery[]): Promise<void> {
  const { token } = await database.transact((sql) => acquireLease(sql, 0, 60_000, undefined));
  const made: Attempted[] = [];
  let storing = Promise.resolve();
  const store = (attempts: readonly Attempted[]) =>
    storing.then(async () => {
      if (!(await recorder.record(attempts, { lane: 0, token }))) throw new Error('lost the lane');
    });
  await each(deliveries, async (delivery) => {
    const attempted = await attempt(delivery);
    if (!attempted) throw new Error('an attempt was not made');
    made.push(attempted);
    if (made.length >= batch) storing = store(made.splice(0));
  });
  await store(made);
}

const steps: Readonly<
  Record<string, (deliveries: readonly DueDelivery[], url: string) => Promise<void>>
> = {
  post: (deliveries, url) => each(deliveries, (one) => post(url, one)),
  sign: (deliveries, url) =>
    each(deliveries, (one) =>
      post(
        url,
        one,
        signedHeaders([secret], one.event_id, Math.floor(Date.now() / 1_000), one.body),
      ),
    ),
  attempt: (deliveries) => each(deliveries, attempt),
  store: attemptAndStore,
  async drain() {
    const listener = openListener(database);
    await drainLane({
      ...{ database, sender, recorder, listener, lane: 0, lanes: 1, stopping: signal },
      ...{ isSuccessor: false, idleTimeoutMs: 300, budgetMs: 60_000 },
      ...{ counts: { delivered: 0, failed: 0 }, teams: createBusiestTeams() },
    });
    listener.stop();
  },
};

/** Waiting deliveries of a team, as a claim returns them. */
const waitingOf = (teamId: string) =>
  database.read(
    (sql) => sql<DueDelivery[]>`
      select ${sql.unsafe(dueColumns)}, w.lock_version as subscription_version,
        null as rate_limit_per_second, null as max_concurrency, 'none' as ordering
      from webhook_deliveries d
      join webhook_events e on e.day = d.day and e.id = d.event_id
      join webhook_subscriptions w on w.team_id = d.team_id and w.id = d.subscription_id
      where d.team_id = ${teamId} and d.status = 'pending'`,
    { deadlineMs: 60_000 },
  );

/** Plays one step, and returns its CPU seconds in this process. */
answerQuestions(async ({ step, url, teamId }) => {
  const deliveries = step === 'drain' ? [] : await waitingOf(teamId);
  const before = process.cpuUsage();
  await steps[step]?.(deliveries, url);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
});
