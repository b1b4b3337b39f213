import { originOf } from '../schema/rules.ts';

/** Two years, the minimum that browsers require for their preload lists. */
const strictTransportSecurity = 'max-age=63072000; includeSubDomains';

type Directive =
  | 'style-src'
  | 'script-src'
  | 'img-src'
  | 'font-src'
  | 'connect-src'
  | 'form-action'
  | 'frame-ancestors';

/**
 * A page without styles, scripts, pictures, plugins, forms and frames around it, and without
 * another base for its links.
 */
const nothing = {
  'default-src': "'none'",
  'base-uri': "'none'",
  'object-src': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/** Sources of a directive; `;` ends it, `,` ends the policy, and headers have no other characters. */
const sourcesForm = /^[!-+\--:<-~]+(?: [!-+\--:<-~]+)*$/;

/**
 * Builds every Content-Security-Policy of the service: the rights of a page, and nothing else. Throws
 * for a text that would write another directive.
 */
export function contentPolicy(allowed: Readonly<Partial<Record<Directive, string>>> = {}): string {
  const directives = Object.entries({ ...nothing, ...allowed });
  const wrong = directives.find(([, sources]) => !sourcesForm.test(sources));
  if (wrong) throw new Error(`${wrong[0]} has a source that no policy can hold`);
  return directives.map(([name, sources]) => `${name} ${sources}`).join('; ');
}

/** Pages of other origins that may show a page in a frame; for `frame-ancestors`. */
export const framingOrigins = (origins: readonly string[] = []): string =>
  origins.filter((origin) => originOf(origin) === origin).join(' ') || "'none'";

/**
 * Headers of every response: no type sniffing, no referrer for other sites, nothing that a JSON
 * document may load. A page sets a content policy of its own over this one. HTTPS is required of
 * later requests only where the public address has it (RFC 6797 §7.2).
 */
export function securityHeaders(publicBaseUrl: string): Readonly<Record<string, string>> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': contentPolicy(),
    'Referrer-Policy': 'same-origin',
    ...(publicBaseUrl.startsWith('https:') && {
      'Strict-Transport-Security': strictTransportSecurity,
    }),
  };
}
