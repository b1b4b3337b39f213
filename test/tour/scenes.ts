import { Connection } from '@temporalio/client';
import { at } from '../campaigns/a-template.ts';
import { aReceiver } from '../inbound/a-receiver.ts';
import { storeDeliveries } from '../inbound/stored.ts';
import { aBatch, badItem, contactsOf, keysOf, whenRun } from '../operations/runs/a-run.ts';
import { aCampaign, enrolled, people } from '../stories/a-campaign.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { environmentNames, required } from '../support/environment.ts';
import { eventually, untilTrue } from '../support/eventually.ts';
import type { Receiver } from '../support/receiver.ts';
import { startTestWorker } from '../support/worker.ts';
import type { TestWorker } from '../support/worker.ts';

// Subjects of questions to an operator, made by the API as clients would. Each gives an id.

/** A campaign under way, all of whose messages are decided, and a journey without a message. */
export async function aCampaignUnderWay(team: TestTeam) {
  await team.patch('/v2/partner/team', { quiet_hours: null, frequency_cap: null });
  const { templateId, letterId } = await aCampaign(team, 'http://bank.localhost', 2_500);
  const deadline_at = new Date(Date.now() + 30 * 86_400_000).toISOString();
  await team.patch(at(templateId), { deadline_at });
  await team.post(at(templateId, '/launch'));
  await eventually(
    async () => {
      const { body } = await team.get(at(templateId, '/messages'));
      return body.data.find(({ id }: { id: string }) => id === letterId).stats;
    },
    ({ sent, skipped }) => sent === people.reachable && skipped === enrolled - people.reachable,
  );
  const query = `filter[template_id]=${templateId}&filter[status]=skipped&page[size]=100`;
  const { body } = await team.get(`/v2/partner/message-deliveries?${query}`);
  const { journey_id } = body.data.find(
    ({ skip_reason }: { skip_reason: string }) => skip_reason === 'no_consent',
  );
  return { templateId, journeyId: String(journey_id) };
}

/** A subscription whose deliveries have failed twice and wait for half an hour. */
export async function aTroubledSubscription(team: TestTeam, receiver: Receiver): Promise<string> {
  receiver.answer(() => ({ status: 503 }));
  const made = await team.post('/v2/partner/webhook-subscriptions', {
    ...{ target_url: receiver.url, event_types: ['contact.created'] },
  });
  const id = String(made.body.id);
  const count = 12;
  for (const unique_id of keysOf(count)) await team.post('/v2/partner/contacts', { unique_id });
  await eventually(
    () =>
      team.db.look<{ attempt_count: number }>(
        (sql) => sql`
          select attempt_count from webhook_deliveries where subscription_id = ${id}`,
      ),
    (rows) => rows.length === count && rows.every(({ attempt_count }) => attempt_count === 2),
  );
  return id;
}

/** A batch, three of whose items cannot be applied. */
export async function aBatchWithBadItems(team: TestTeam): Promise<string> {
  const bad = keysOf(3).map(badItem);
  const batch = await aBatch(team, { items: [...contactsOf(keysOf(597)), ...bad] });
  await whenRun(team, batch);
  return String(batch.split('/').at(-1));
}

/** A replay of callbacks that goes on for a while. */
export async function aReplay(api: TestApi, team: TestTeam): Promise<string> {
  const { id } = await aReceiver(api, team);
  await storeDeliveries(api, team, id, 2_000);
  const asked = { filter: {}, rate_per_second: 10 };
  const { body } = await team.post(`/v2/webhooks/inbound/${id}/replay`, asked);
  return String(body.id);
}

/** A worker of this version, which gets new work at first or by degrees. */
export async function deploy(
  api: TestApi,
  namespace: string,
  { version: buildId, percentage }: { version: string; percentage?: number },
): Promise<TestWorker> {
  const worker = await startTestWorker(api, { namespace, version: buildId });
  await untilTrue(() => worker.isPolling());
  const address = required(environmentNames.temporalAddress);
  const connection = await Connection.connect({ address });
  const which = { namespace, deploymentName: 'onward', buildId };
  const { workflowService } = connection;
  // The server refuses a version that it does not know yet.
  await untilTrue(() =>
    (percentage === undefined
      ? workflowService.setWorkerDeploymentCurrentVersion(which)
      : workflowService.setWorkerDeploymentRampingVersion({ ...which, percentage })
    ).then(
      () => true,
      () => false,
    ),
  );
  await connection.close();
  return worker;
}
