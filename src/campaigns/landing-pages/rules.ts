/** State transitions of landing pages (ADR 24), without I/O or clock. */

export const landingPageStatuses = ['draft', 'published', 'archived'] as const;
export type LandingPageStatus = (typeof landingPageStatuses)[number];

/** Every action, the states that it leads out of, and the one that it leads to. */
const transitions = {
  publish: { from: ['draft', 'published'], to: 'published' },
  unpublish: { from: ['published'], to: 'draft' },
  archive: { from: ['draft', 'published'], to: 'archived' },
  unarchive: { from: ['archived'], to: 'draft' },
  // A published page must be unpublished before it is deleted.
  delete: { from: ['draft', 'archived'], to: 'archived' },
} as const satisfies Record<string, { from: readonly LandingPageStatus[]; to: LandingPageStatus }>;

export type LandingPageAction = keyof typeof transitions;

/** The status after an action; undefined where the state does not allow it. */
export function statusAfter(
  status: LandingPageStatus,
  action: LandingPageAction,
): LandingPageStatus | undefined {
  const { from, to } = transitions[action];
  return from.some((state) => state === status) ? to : undefined;
}

/** Actions that a state allows, for `meta.allowed_actions`. */
export function allowedActions(status: LandingPageStatus): string[] {
  return Object.entries(transitions)
    .filter(([, { from }]) => from.some((state) => state === status))
    .map(([action]) => action);
}
