import { jobId } from '../platform/jobs/shape.ts';
import { randomUUID } from 'node:crypto';
import type { Onward } from '../../sdk/typescript/src/index.ts';
import { templateJob, webhookRecoveryJob } from '../../workflows/jobs.ts';
import { readConfig } from '../platform/config.ts';
import { print, runCommand } from './command.ts';
import { openDataDirectory } from './data-directory.ts';
import { requireDemoFile } from './demo-file.ts';
import { findTemporal, lookUpWorkflows, queryUrl, workflowUrl } from './admin/temporal.ts';
import { showDisabling, showRetries } from './demo/failing-receivers.ts';
import type { Event } from './demo/listener.ts';
import { subscribe, unsubscribe } from './demo/receivers.ts';
import { showTemplateOnTime } from './demo/template-on-time.ts';
import { startTimeline } from './demo/timeline.ts';
import { connectAs } from './service-client.ts';

/** More than a subscription may fail for good until it is disabled. */
const changes = 12;
const failuresBefore = 3;

// `npm run demo`: shows effects of time and failures on templates and webhooks of the running
// service. Exits with 0 only if every expectation is met.
runCommand(async () => {
  const directory = openDataDirectory(readConfig({ development: true }).dataDirectory);
  const demo = await requireDemoFile(directory.demo);
  const onward = connectAs(demo);
  // Before any listener, which would go on when the service does not answer.
  await onward.team.get();
  print(`The demo talks to ${demo.base_url} as ${demo.client_id}, and takes less than a minute.`);
  print(explain());
  const say = startTimeline();

  const observer = await subscribe(
    onward,
    'Demo: observer',
    ['template.*', 'webhook_subscription.disabled'],
    () => 204,
  );
  const flaky = await subscribe(onward, 'Demo: flaky', ['contact.created'], answerFlaky());
  const broken = await subscribe(onward, 'Demo: broken', ['contact.updated'], answerBroken());
  say('webhooks', `three listeners on this machine are subscribed, at ${observer.url} and others`);
  const stop = () =>
    Promise.allSettled([observer, flaky, broken].map((receiver) => unsubscribe(onward, receiver)));
  process.once('SIGINT', () => {
    const exit = () => process.exit(130);
    stop().then(exit, exit);
  });
  try {
    await causeEvents(onward);
    say(
      'contact',
      `created once, which flaky receives, and changed ${changes} times, which broken receives`,
    );
    const [templateId] = await Promise.all([
      showTemplateOnTime(onward, observer, say),
      showRetries(onward, flaky, say),
      showDisabling(onward, broken, observer, say),
    ]);
    print('\nEverything held. The workflows that did it, in the Temporal UI:');
    await printLinks([
      jobId(templateJob, templateId),
      jobId(webhookRecoveryJob, flaky.subscriptionId),
      jobId(webhookRecoveryJob, broken.subscriptionId),
    ]);
  } finally {
    await stop();
  }

  function answerFlaky() {
    const attempts = new Map<string, number>();
    return ({ id, type }: Event) => {
      const attempt = (attempts.get(id) ?? 0) + 1;
      attempts.set(id, attempt);
      const status = attempt > failuresBefore ? 204 : 500;
      say('flaky', `${type}, attempt ${attempt}, signature good: answers ${status}`);
      return status;
    };
  }

  function answerBroken() {
    let attempts = 0;
    return () => {
      attempts += 1;
      if (attempts % changes === 0) say('broken', `has answered 500 to ${attempts} attempts`);
      return 500;
    };
  }
});

function explain(): string {
  const { retryScheduleMs, disableAfter } = readConfig({ development: true }).webhooks;
  const seconds = retryScheduleMs.map((ms) => ms / 1_000).join(', ');
  return (
    `\`npm start\` retries webhooks in a hurry, after ${seconds} s, and gives up then; in production ` +
    'that takes three days (WEBHOOK_RETRY_SCHEDULE_SECONDS).\n' +
    `A subscription is disabled when ${disableAfter} deliveries in a row have failed permanently.\n`
  );
}

async function causeEvents({ contacts }: Onward): Promise<void> {
  const email = `demo-${randomUUID()}@example.com`;
  const { id } = await contacts.create({ email, first_name: 'Ada' });
  for (let change = 1; change <= changes; change += 1) {
    await contacts.update(id, { first_name: `Ada ${change}` });
  }
}

/**
 * Links to the runs of now: the clean-up starts others, which find their subscription deleted. Without
 * Temporal they lead to all runs of a workflow.
 */
async function printLinks(workflowIds: readonly string[]): Promise<void> {
  const place = await findTemporal();
  if (place.uiUrl === undefined) {
    print('  The address of the UI is not known; set TEMPORAL_UI_URL for `npm start`.');
    for (const id of workflowIds) print(`  ${id}`);
    return;
  }
  const found = await lookUpWorkflows(place, workflowIds);
  for (const id of workflowIds) {
    const run = Array.isArray(found) ? found.find((one) => one.id === id) : undefined;
    const url =
      run?.runId === undefined
        ? queryUrl(place, `WorkflowId="${id}"`)
        : workflowUrl(place, id, run.runId);
    print(`  ${url ?? id}`);
    if (run?.details !== undefined) print(`    ${run.details}`);
  }
  const lanes = queryUrl(place, 'WorkflowType="deliverWebhooks"');
  print(`  ${lanes ?? ''}  (the lanes of healthy deliveries)`);
}
