import { randomUUID } from 'node:crypto';
import { create } from './recipe.ts';
import type { Recipes } from './recipe.ts';

const path = '/v2/partner/webhook-subscriptions';
const subscription = () => ({
  target_url: `https://hooks.example.com/${randomUUID()}`,
  event_types: ['*'],
});

export const webhookSubscriptionRecipes: Recipes = {
  places: {
    '/v2/partner/webhook-subscriptions/{id}': (team) => create(team, path, subscription()),
    '/v2/partner/webhook-subscriptions/{id}/deliveries/{delivery_id}': (team, { id = '' }) =>
      create(team, `${path}/${id}/test`, {}),
  },
  operations: { createWebhookSubscription: { body: subscription } },
};
