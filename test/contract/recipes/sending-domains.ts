import { randomUUID } from 'node:crypto';
import { maxSendingDomains } from '../../../src/team/sending-domains/sending-domain.ts';
import { create } from './recipe.ts';
import type { Recipes } from './recipe.ts';

const domain = () => ({ domain: `${randomUUID()}.test` });

export const sendingDomainRecipes: Recipes = {
  places: {
    '/v2/partner/sending-domains/{id}': (team) =>
      create(team, '/v2/partner/sending-domains', domain()),
  },
  operations: {
    createSendingDomain: {
      body: domain,
      quota: { table: 'sending_domains', most: maxSendingDomains },
    },
  },
};
