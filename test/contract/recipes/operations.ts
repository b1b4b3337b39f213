import { randomUUID } from 'node:crypto';
import type { Recipes } from './recipe.ts';

export const operationRecipes: Recipes = {
  texts: { operation_kind: 'contacts.upsert' },
  operations: {
    executeOperation: {
      body: () => ({ input: { unique_id: randomUUID() } }),
      furtherScopes: [{ scope: 'partner:contacts:write' }],
    },
  },
};
