import { createHook } from '../platform/events/hook.ts';

/** Contacts that left a cohort. */
export interface Leaving {
  cohortId: string;
  /** Undefined: nobody in particular, as many left. */
  contactIds?: readonly string[] | undefined;
}

/** Contacts are no members of a cohort any more. */
export const contactsLeftCohort = createHook<Leaving>('contactsLeftCohort');
