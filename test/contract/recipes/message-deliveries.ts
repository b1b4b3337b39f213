import { randomUUID } from 'node:crypto';
import type { Make, Recipes } from './recipe.ts';

/** What the sending engine writes. */
const newDelivery: Make = async ({ id: team_id, db }) => {
  const ids = { message_id: randomUUID(), template_id: randomUUID(), contact_id: randomUUID() };
  const row = { team_id, ...ids, channel: 'email', status: 'scheduled' };
  const [made] = await db.look(
    (sql) => sql<{ id: string }[]>`insert into message_deliveries ${sql(row)} returning id`,
  );
  return made?.id ?? '';
};

export const messageDeliveryRecipes: Recipes = {
  places: { '/v2/partner/message-deliveries/{id}': newDelivery },
};
