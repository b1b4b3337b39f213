/** Rules of receivers, without I/O or clock. */

export const maxReceivers = 50;

/** Time for which the previous secret is accepted. */
export const overlapSeconds = 86_400;

/** Consecutive refused signatures at which the team's subscriptions are notified. */
const failuresToNotice = 10;

/** Whether this many more refused signatures reach the number for a notification. */
export function crossesFailureThreshold(before: number, after: number): boolean {
  return before < failuresToNotice && after >= failuresToNotice;
}

/**
 * Whether native callbacks can be verified; `has` contains the names of the stored settings and
 * secrets.
 */
export function verificationStatus(
  requiredSettings: readonly string[],
  has: ReadonlySet<string>,
  isAsked: boolean,
): 'configured' | 'unconfigured' | 'pending_confirmation' {
  if (isAsked) return 'pending_confirmation';
  return requiredSettings.every((name) => has.has(name)) ? 'configured' : 'unconfigured';
}
