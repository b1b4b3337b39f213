import { deprecatedItem } from './deprecation.ts';
import type { DeprecatedItem, Deprecation } from './deprecation.ts';
import type { EndpointFacts } from './endpoint-facts.ts';

/** Notifies teams of the deprecated parts of the interface that they call. */
export interface DeprecationNotices {
  /** Waits until the notice is recorded. A failure is logged and not thrown. */
  record(teamId: string, item: DeprecatedItem): Promise<void>;
}

/** The endpoint as an element of lists of deprecated parts; undefined where it is none. */
export function deprecatedEndpoint(endpoint: EndpointFacts): DeprecatedItem | undefined {
  const { id, method, path, deprecation } = endpoint;
  return deprecation && deprecatedItem('endpoint', id, { method, path }, deprecation);
}

/**
 * Headers of every response of a deprecated endpoint: RFC 9745, RFC 8594 and RFC 5829. Parameters
 * of the replacement's path have the values of the request.
 */
export function deprecationHeaders(
  { deprecated_at, sunset_at, replacement }: Deprecation,
  params: Readonly<Record<string, string>>,
): Record<string, string> {
  const path = replacement?.path?.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  return {
    Deprecation: `@${String(Math.floor(Date.parse(deprecated_at) / 1_000))}`,
    Sunset: new Date(sunset_at).toUTCString(),
    ...(path !== undefined && { Link: `<${path}>; rel="successor-version"` }),
  };
}
