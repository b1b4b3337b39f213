/** Grammar: `<surface>:<resource>:<action>`; a wildcard `*` stands for one resource or action. */
const scopePattern = /^[a-z]+:(\*|[a-z][a-z_-]*):(\*|[a-z]+)$/;

/** Scopes that the interface document names, including those that no endpoint requires yet. */
const documentScopes = [
  'partner:contacts:read', 'partner:contacts:write', 'partner:contacts:delete',
  'partner:cohorts:execute', 'partner:templates:read', 'partner:templates:write',
  'partner:insights:read', 'partner:webhooks:write', 'partner:incoming-webhooks:read',
  'partner:incoming-webhooks:write', 'partner:users:write', 'partner:landing_pages:write',
  'partner:sftp:write', 'partner:objectives:read', 'partner:engagement:read',
  'partner:messages:read', 'widget:journey:render', 'widget:events:write',
  'ipaas:operations:read', 'ipaas:operations:execute', 'batch:operations:write',
  'meta:capabilities:read',
] as const; // prettier-ignore

/** Scopes that no endpoint requires, but that extend the fields of a response. */
export const wideningScopes = ['partner:contacts_sensitive:read'];

/** Where the document has only a write scope, it grants the read added here. ADR 22a. */
const impliedScopes: Readonly<Record<string, string>> = {
  'partner:webhooks:write': 'partner:webhooks:read',
  'partner:users:write': 'partner:users:read',
  'partner:landing_pages:write': 'partner:landing_pages:read',
  'partner:sftp:write': 'partner:sftp:read',
  'batch:operations:write': 'batch:operations:read',
};

export function isScope(text: string): boolean {
  return scopePattern.test(text);
}

export function isWildcard(scope: string): boolean {
  return scope.includes('*');
}

/** Surface of a scope: the surface is the scope's, not the path's. ADR 5. */
export function surfaceOf(scope: string): string {
  return scope.slice(0, scope.indexOf(':'));
}

/** Every scope there is, sorted: those that endpoints require and those of the document. */
export function allScopes(required: Iterable<string>): string[] {
  return [
    ...new Set([
      ...documentScopes,
      ...wideningScopes,
      ...Object.values(impliedScopes),
      ...required,
    ]),
  ].sort();
}

/** True when a pattern (a scope, perhaps with wildcards) covers a scope of the same surface. */
export function grants(pattern: string, scope: string): boolean {
  const [surface, resource, action] = pattern.split(':');
  const [itsSurface, itsResource, itsAction] = scope.split(':');
  return (
    surface === itsSurface &&
    (resource === '*' || resource === itsResource) &&
    (action === '*' || action === itsAction)
  );
}

/** Adds what each scope implies; sorted. */
export function withImplied(scopes: Iterable<string>): string[] {
  const result = new Set<string>();
  for (const scope of scopes) {
    result.add(scope);
    const implied = impliedScopes[scope];
    if (implied !== undefined) result.add(implied);
  }
  return [...result].sort();
}

/** Scopes that an entitlement still covers. */
export const withinEntitlement = (
  scopes: readonly string[],
  entitled: readonly string[],
): string[] => scopes.filter(coveredBy(entitled));

/** Whether an entitlement, with what it implies, covers a scope. Most of its scopes are explicit. */
function coveredBy(entitled: readonly string[]): (scope: string) => boolean {
  const explicit = new Set(withImplied(entitled));
  const patterns = [...explicit].filter(isWildcard);
  return (scope) => explicit.has(scope) || patterns.some((pattern) => grants(pattern, scope));
}

export interface Entitlement {
  /** Explicit scopes or wildcards; the ceiling that the contract sets. */
  scopes: readonly string[];
  /** Whether the client opted in to requesting wildcards by name. ADR 19. */
  allowWildcards: boolean;
}

/**
 * Scopes that a token gets: the requested ones within the entitlement, wildcards expanded now, the
 * rest dropped silently. Nothing requested means the whole entitlement without wildcards.
 */
export function grantScopes(
  requested: readonly string[] | undefined,
  entitlement: Entitlement,
  known: readonly string[],
): string[] {
  const entitled = known.filter(coveredBy(entitlement.scopes));
  if (requested === undefined) {
    return known.filter((scope) => entitlement.scopes.includes(scope));
  }
  return entitled.filter((scope) =>
    requested.some((pattern) =>
      isWildcard(pattern)
        ? entitlement.allowWildcards && grants(pattern, scope)
        : pattern === scope,
    ),
  );
}
