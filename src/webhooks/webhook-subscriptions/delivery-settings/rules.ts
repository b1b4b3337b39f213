/** Rules of the headers that clients add to deliveries, as pure functions. */

/** Names and values of all headers together; many servers refuse more than 8 KB. */
export const maxHeaderCharacters = 6_000;

/** Set by the service or by the connection. */
const reservedHeaders: readonly RegExp[] = [
  /^webhook-/,
  /^content-/,
  /^proxy-/,
  /^(accept-encoding|connection|date|expect|host|keep-alive|te|trailer|transfer-encoding)$/,
  /^(traceparent|tracestate|upgrade|user-agent|via)$/,
];

/** Reasons to reject a header. Names are compared regardless of case, and reported as given. */
export type HeaderFault = 'reserved_header' | 'unique';

export interface HeaderProblem {
  name: string;
  rule: HeaderFault;
}

/** Returns the rejected headers with their reasons. */
export function headerFaults(names: readonly string[]): HeaderProblem[] {
  const seen = new Set<string>();
  const problems: HeaderProblem[] = [];
  for (const name of names) {
    const known = name.toLowerCase();
    if (seen.has(known)) problems.push({ name, rule: 'unique' });
    else if (reservedHeaders.some((pattern) => pattern.test(known))) {
      problems.push({ name, rule: 'reserved_header' });
    }
    seen.add(known);
  }
  return problems;
}

/** Whether the headers are more than a receiver can be expected to take. */
export function areTooLong(headers: Readonly<Record<string, string>>): boolean {
  const characters = Object.entries(headers).map(([name, value]) => name.length + value.length);
  return characters.reduce((sum, count) => sum + count, 0) > maxHeaderCharacters;
}
