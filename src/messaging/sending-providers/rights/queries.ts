import { scopesOfReceiver } from '../rules.ts';

/**
 * Condition that the client that last changed the provider of a row may still read what it receives.
 * Wildcards of an entitlement cover the scopes.
 */
export const isEntitled = (row: string) => `(${row}.changed_by_client_id is null
  or exists (
    select from clients c
    where c.team_id = ${row}.team_id and c.id = ${row}.changed_by_client_id
      and c.suspended_at is null
      and ${scopesOfReceiver.map(covers).join(' and ')}))`;

const covers = (scope: string) => `exists (
        select from unnest(c.scopes) s
        where '${scope}' like replace(replace(s, '_', '\\_'), '*', '%'))`;
