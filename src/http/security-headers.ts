/** Two years, the minimum that browsers ask for in their preload lists. */
const strictTransportSecurity = 'max-age=63072000; includeSubDomains';

/**
 * Headers of every response: no type sniffing, no referrer for other sites, nothing that a JSON document may load.
 * A page sets a content policy of its own over this one. HTTPS is required of later requests only
 * where the public address has it (RFC 6797 §7.2).
 */
export function securityHeaders(publicBaseUrl: string): Readonly<Record<string, string>> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Referrer-Policy': 'same-origin',
    ...(publicBaseUrl.startsWith('https:') && {
      'Strict-Transport-Security': strictTransportSecurity,
    }),
  };
}
