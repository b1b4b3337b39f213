import { eventType } from '../platform/events/event-type.ts';
import { Cohort, CohortMember } from './cohort.ts';

export const cohortCreated = eventType('cohort.created', 'A cohort was created.', Cohort, {
  since: '2026-11-25',
});
export const cohortUpdated = eventType(
  'cohort.updated',
  'A cohort was changed or unarchived.',
  Cohort,
  {
    since: '2026-11-25',
    previous: true,
  },
);
export const cohortArchived = eventType('cohort.archived', 'A cohort was archived.', Cohort, {
  since: '2026-11-25',
});
export const cohortEvaluated = eventType(
  'cohort.evaluated',
  'A dynamic cohort was evaluated; the counts give the number of its members.',
  Cohort,
);
export const cohortMemberAdded = eventType(
  'cohort.member_added',
  'A contact became a member of a cohort. Sent only to subscriptions that name this type in full.',
  CohortMember,
  { isOptIn: true },
);
export const cohortMemberRemoved = eventType(
  'cohort.member_removed',
  'A contact is no longer a member of a cohort. Sent only to subscriptions that name this type in full.',
  CohortMember,
  { isOptIn: true },
);

export const cohortEvents = [
  cohortCreated,
  cohortUpdated,
  cohortArchived,
  cohortEvaluated,
  cohortMemberAdded,
  cohortMemberRemoved,
];
