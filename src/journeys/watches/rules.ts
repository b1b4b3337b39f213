/** Rules of watches, without I/O or clock, for endpoints, activity and workflow. */

/** A watch that somebody requests ends after this, or with its journey. */
export const watchDays = 30;
/** Watches of a team at a time: each is a workflow. */
export const maxWatches = 100;

/** A step is overdue when it is this late: lanes are seconds late at most. */
export const overdueMinutes = 10;
/** Overdue journeys that are watched at a time, of all teams: an outage concerns all of them. */
export const maxOverdueWatches = 20;

/** Why a journey is watched. */
export type WatchReason = 'requested' | 'overdue';
