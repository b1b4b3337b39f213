/** Wakes a workflow: rows that it is about have changed, or may have. Always harmless. */
export const changedSignal = 'changed';

/** The process that drains a lane has ended: a restart need not wait for its heartbeats. */
export const ownerLostSignal = 'ownerLost';
