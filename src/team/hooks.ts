import { createHook } from '../platform/events/hook.ts';

/** A term of what is stored becomes shorter. */
export const retentionShortened = createHook<undefined>('retentionShortened');

/** From now on the sending providers of the team need a release. */
export const providerReleaseRequired = createHook<undefined>('providerReleaseRequired');
