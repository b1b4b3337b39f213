import { withinEntitlement } from '../platform/auth/scopes.ts';
import { scopesOfDefinition } from './definition/scopes.ts';
import type { CohortRow } from './queries.ts';

/** A cohort with the present entitlement of the client that set its definition. */
export type AuthorizedCohort = CohortRow & {
  /** None while the client is suspended; null where the cohort names no client. */
  entitled: string[] | null;
};

/** Scopes that the rule of a cohort needs, and that its client no longer has. */
export function lackedScopes({ definition, entitled }: AuthorizedCohort): string[] {
  const needed = scopesOfDefinition(definition);
  const held = withinEntitlement(needed, entitled ?? needed);
  return needed.filter((scope) => !held.includes(scope));
}

/** The reason, as `last_error` shows it. */
export const lackingClient = (scopes: readonly string[]) =>
  `The client that set the definition no longer has ${scopes.join(', ')}. ` +
  'Let a client with these scopes change the definition.';
