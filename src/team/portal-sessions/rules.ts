import { mayEmbed, originOf } from '../../platform/schema/rules.ts';
import type { Problem } from '../../platform/http/errors.ts';

/** The pages that a session may begin with. */
export const portalPages = [
  'requests',
  'webhooks',
  'batches',
  'callbacks',
  'campaigns',
  'people',
  'insights',
] as const;

/** The right to make sessions. No session has it: it would prolong itself. */
export const portalScope = 'partner:portal_sessions:write';

/**
 * Scopes of a session that names none: those with which the caller reads. Dates of birth are shown
 * to sessions that ask for them by name.
 */
export function readScopes(held: Iterable<string>): string[] {
  return [...held].filter(
    (scope) => scope.endsWith(':read') && scope !== 'partner:contacts_sensitive:read',
  );
}

/** Problems of a request: scopes that the caller has not, and origins that are none. */
export function portalProblems(
  { scopes, origins }: { scopes: readonly string[]; origins: readonly string[] },
  held: ReadonlySet<string>,
  allowsLocal: boolean,
): Problem[] {
  return [
    ...scopes.flatMap((scope, at) =>
      held.has(scope) && scope !== portalScope
        ? []
        : [
            invalid(
              `/scopes/${String(at)}`,
              'enum',
              scope === portalScope
                ? 'A session cannot make sessions.'
                : 'Your token does not have this scope.',
            ),
          ],
    ),
    ...origins.flatMap((origin, at) =>
      mayEmbed(originOf(origin), allowsLocal)
        ? []
        : [
            invalid(
              `/allowed_origins/${String(at)}`,
              'format',
              `allowed_origins.${String(at)} is no https origin.`,
            ),
          ],
    ),
  ];
}

function invalid(pointer: string, rule: string, detail: string): Problem {
  return { code: 'validation_failed', detail, meta: { pointer, rule } };
}
