import { randomUUID } from 'node:crypto';
import type { Recipes } from './recipe.ts';

export const requestRecipes: Recipes = {
  operations: {
    listRequests: {
      shown: (team) =>
        team.db.look(
          (sql) => sql`
          insert into request_log (day, id, team_id, client_id, request_id, occurred_at, method,
            operation, path, status, error_codes, duration_ms, request_bytes, response_bytes)
          values (current_date, ${randomUUID()}, ${team.id}, ${randomUUID()}, 'a', now(), 'GET',
            'getTeam', '/v2/partner/team', 200, '{}', 1, 0, 10)
          returning id`,
        ),
    },
  },
};
