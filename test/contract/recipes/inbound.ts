import { maxReceivers } from '../../../src/inbound/incoming-webhook-receivers/rules.ts';
import { create } from './recipe.ts';
import type { Make, Owner, Params, Recipes } from './recipe.ts';

const path = '/v2/partner/incoming-webhook-receivers';
const newReceiver: Make = (team) => create(team, path, { receiver_kind: 'generic_hmac' });
/** A topic asks the receiver for a confirmation. */
async function ask(team: Owner, receiverId: string): Promise<void> {
  await team.db.look(
    (sql) => sql`
    insert into inbound_deliveries (day, id, team_id, receiver_id, receiver_kind, status,
      signature_status, http_status, size_bytes, payload, received_at)
    values (current_date, gen_random_uuid(), ${team.id}, ${receiverId}, 'email_a',
      'pending_confirmation', 'verified', 200, 1,
      ${sql.json({ topic_arn: 'arn:aws:sns:eu-west-1:123456789012:mail' })}, now())
    returning id`,
  );
}
const askedReceiver: Make = async (team, params) => {
  const id = await newReceiver(team, params);
  await ask(team, id);
  return id;
};
/** A callback that came in and can be replayed. */
const newCallback: Make = async (team, { receiver_id = '' }) => {
  const [made] = await team.db.look(
    (sql) => sql<{ id: string }[]>`
    insert into inbound_deliveries (day, id, team_id, receiver_id, receiver_kind, status,
      signature_status, http_status, size_bytes, payload, received_at)
    values (current_date, gen_random_uuid(), ${team.id}, ${receiver_id}, 'generic_hmac',
      'failed', 'verified', 200, 1, '{}', now())
    returning id`,
  );
  return made?.id ?? '';
};
const callbackIds = async (team: Owner, params: Params) => ({
  delivery_ids: [await newCallback(team, params)],
});

export const inboundRecipes: Recipes = {
  places: {
    '/v2/partner/incoming-webhook-receivers/{id}': newReceiver,
    '/v2/webhooks/inbound/{receiver_id}': newReceiver,
    '/v2/webhooks/inbound/{receiver_id}/deliveries/{delivery_id}': (team, { receiver_id = '' }) =>
      create(team, `${path}/${receiver_id}/test`),
    '/v2/webhooks/inbound/{receiver_id}/replays/{replay_id}': async (team, params) =>
      create(
        team,
        `/v2/webhooks/inbound/${params['receiver_id'] ?? ''}/replay`,
        await callbackIds(team, params),
      ),
  },
  operations: {
    confirmReceiverSubscription: {
      target: askedReceiver,
      scenes: [{ title: 'was asked again', deed: (team, { id = '' }) => ask(team, id) }],
    },
    createIncomingWebhookReceiver: {
      body: () => ({ receiver_kind: 'email_b' }),
      quota: { table: 'incoming_webhook_receivers', most: maxReceivers },
    },
    updateIncomingWebhookReceiver: { body: () => ({ name: 'Receiver' }) },
    updateReceiverVerification: { body: () => ({ max_age_seconds: 600 }) },
    getInboundDelivery: {
      furtherScopes: [{ scope: 'partner:incoming-webhooks:write', query: '?include=raw' }],
    },
    getInboundDeliveryCounts: {
      shown: async (team, params) => {
        await newCallback(team, params);
        return team.db.look(
          (sql) => sql`
          insert into inbound_rejections (team_id, receiver_id, hour, stored, dropped)
          values (${team.id}, ${params['receiver_id'] ?? ''}, date_trunc('hour', now()), 1, 1)
          returning 1`,
        );
      },
    },
    replayInboundWebhooks: {
      body: callbackIds,
      references: { delivery_ids: newCallback },
      scenes: [
        {
          title: 'has as many callbacks',
          body: async (team, params) => {
            await newCallback(team, params);
            return { filter: { status: ['failed'] }, dry_run: true };
          },
        },
      ],
    },
  },
};
