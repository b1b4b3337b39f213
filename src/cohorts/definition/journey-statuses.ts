/** Statuses of journeys, which definitions of cohorts name; declared here as cohorts are lower. */
export const journeyStatuses = [
  'scheduled',
  'active',
  'paused',
  'completed',
  'exited',
  'expired',
  'canceled',
  'failed',
] as const;
export type JourneyStatus = (typeof journeyStatuses)[number];
