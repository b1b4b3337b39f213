import { randomUUID } from 'node:crypto';
import { maxWebhookSubscriptions } from '../../../src/webhooks/webhook-subscriptions/webhook-subscription.ts';
import { change, create } from './recipe.ts';
import type { Make, Owner, Params, Recipes } from './recipe.ts';

const path = '/v2/partner/webhook-subscriptions';
const subscription = () => ({
  target_url: `https://hooks.example.com/${randomUUID()}`,
  event_types: ['*'],
});
const troubledSubscription: Make = async (team) => {
  const id = await create(team, path, subscription());
  await team.db.look(
    (sql) => sql`
      update webhook_subscription_states
      set owned_by_recovery = true, consecutive_permanent_failures = 10
      where subscription_id = ${id} returning 1`,
  );
  await team.db.look(
    (sql) => sql`
      update webhook_subscriptions set is_disabled_for_failures = true
      where id = ${id} returning id`,
  );
  return id;
};

/** Its event is none of those that the requests of samples record: each sample adds a subscription. */
const newSubscription: Make = (team) =>
  create(team, path, { ...subscription(), event_types: ['template.launch_failed'] });
const newDelivery: Make = (team, { id = '' }) => create(team, `${path}/${id}/test`, {});
const deliveryIds = async (team: Owner, params: Params) => ({
  delivery_ids: [await newDelivery(team, params)],
});

export const webhookSubscriptionRecipes: Recipes = {
  places: {
    '/v2/partner/webhook-subscriptions/{id}': newSubscription,
    '/v2/partner/webhook-subscriptions/{id}/deliveries/{delivery_id}': newDelivery,
    '/v2/partner/webhook-subscriptions/{id}/replays/{replay_id}': async (team, params) =>
      create(team, `${path}/${params['id'] ?? ''}/replay`, await deliveryIds(team, params)),
  },
  operations: {
    replayWebhooks: {
      body: deliveryIds,
      references: {
        delivery_ids: async (team, params) =>
          newDelivery(team, { id: await newSubscription(team, params) }),
      },
      scenes: [
        {
          title: 'has as many deliveries',
          body: async (team, params) => {
            await newDelivery(team, params);
            return { filter: { status: ['pending'] }, dry_run: true };
          },
        },
      ],
    },
    createWebhookSubscription: {
      body: subscription,
      quota: { table: 'webhook_subscriptions', most: maxWebhookSubscriptions },
      scenes: [
        {
          title: 'has defined the event type',
          body: () => ({ ...subscription(), event_types: ['custom.named_by_a_twin'] }),
          deed: (team) =>
            create(team, '/v2/partner/custom-event-types', { name: 'custom.named_by_a_twin' }),
        },
      ],
    },
    getWebhookDelivery: {
      furtherScopes: [{ scope: 'partner:webhooks:write', query: '?include=event' }],
    },
    getWebhookDeliveryCounts: {
      shown: (team, { id = '' }) => create(team, `${path}/${id}/test`, {}),
    },
    listWebhookAttempts: {
      shown: (team, { id = '', delivery_id = '' }) =>
        team.db.look(
          (sql) => sql`
          insert into webhook_attempts (day, delivery_id, number, team_id, subscription_id, trigger,
            url, requested_at, duration_ms)
          select day, id, 1, team_id, subscription_id, 'scheduled', 'https://hooks.example.com',
            now(), 5
          from webhook_deliveries
          where team_id = ${team.id} and subscription_id = ${id} and id = ${delivery_id}
          returning number`,
        ),
    },
    testWebhookSubscription: { body: () => ({ event_type: 'contact.created' }) },
    updateWebhookDeliverySettings: {
      body: () => ({
        timeout_seconds: 20,
        rate_limit_per_second: 5,
        max_concurrency: 2,
        ordering: 'fifo',
      }),
      scenes: [
        {
          title: 'has the settings already',
          body: () => ({ asymmetric_signing: false }),
          deed: (team, { id = '' }) =>
            change(team, `${path}/${id}/delivery-settings`, { asymmetric_signing: true }),
        },
      ],
    },
    updateWebhookSubscription: {
      // Another host, to which further headers do not go along.
      target: async (team) => {
        const id = await create(team, path, subscription());
        const headers = { 'X-Tenant': 'a' };
        await change(team, `${path}/${id}/delivery-settings`, { headers });
        return id;
      },
      body: () => ({ target_url: `https://elsewhere.example.com/${randomUUID()}` }),
      scenes: [
        {
          title: 'is disabled as well',
          target: troubledSubscription,
          body: () => ({ is_disabled_for_failures: false }),
        },
        {
          title: 'is in trouble as well',
          target: troubledSubscription,
          body: () => ({ target_url: `https://hooks.example.com/${randomUUID()}` }),
        },
      ],
    },
  },
};
