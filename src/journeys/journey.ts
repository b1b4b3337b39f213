import { Type } from 'typebox';
import {
  Cents,
  Count,
  Id,
  OneOf,
  Text,
  Timestamp,
  Uri,
  resource,
} from '../platform/schema/fields.ts';
import type { RowOf } from '../platform/schema/fields.ts';
import type { ListField } from '../platform/lists/declaration.ts';
import { journeyStatuses } from '../cohorts/definition/journey-statuses.ts';
import { exitReasons, refusals } from './rules.ts';

export const enrollmentSources = ['api', 'cohort', 'batch', 'ipaas', 'widget'] as const;
export type EnrollmentSource = (typeof enrollmentSources)[number];

/** The way of one contact through one template. */
export const Journey = resource('journey', {
  template_id: Id(),
  template_version: Count('Version of the content; later edits do not change it'),
  contact_id: Id(),
  seq: Type.Integer({ minimum: 1, description: 'Which enrollment of the contact in the template' }),
  status: OneOf(journeyStatuses, 'scheduled: its first steps are not known yet'),
  exit_reason: Type.Optional(OneOf(exitReasons)),
  enrolled_via: OneOf(enrollmentSources),
  cohort_id: Type.Optional(Id('The cohort that it came through')),
  is_holdout: Type.Boolean({ description: 'Held back for comparison: nothing is sent' }),
  enrolled_at: Timestamp(),
  started_at: Type.Optional(Timestamp()),
  paused_at: Type.Optional(Timestamp('Only while paused')),
  completed_at: Type.Optional(Timestamp()),
  exited_at: Type.Optional(Timestamp('When it ended in any other way')),
  deadline_at: Type.Optional(Timestamp('That of the template')),
  current_page_id: Type.Optional(Id('The page that was seen last')),
  last_engaged_at: Type.Optional(Timestamp('Last event made by the person')),
  next_action: Type.Optional(
    Type.Object({
      kind: OneOf(['start', 'message']),
      message_id: Type.Optional(Id()),
      due_at: Timestamp(),
    }),
  ),
  objectives: Type.Array(
    Type.Object({
      objective_id: Id(),
      key: Text(64),
      status: OneOf(['pending', 'completed']),
      completed_at: Type.Optional(Timestamp()),
      value_cents: Type.Optional(Cents()),
    }),
  ),
  progress: Type.Object({
    pages_viewed: Count(),
    pages_total: Count(),
    objectives_completed: Count(),
    objectives_total: Count(),
  }),
});

/** A journey by itself; the link needs partner:journeys:write, or is shown where it is made. */
export const JourneyDetails = Type.Object(
  {
    ...Journey.properties,
    link_url: Type.Optional(Uri('The recipient’s page; anyone with the link can see the journey')),
  },
  { title: 'journey_details' },
);

export type JourneyRow = RowOf<typeof Journey> & { link_generation: number };

export const JourneyLink = Type.Object(
  { journey_id: Id(), link_url: Uri('Ends every earlier link of the journey') },
  { title: 'journey_link' },
);

/** Why somebody is in a template or not. */
export const EnrollmentExplanation = Type.Object(
  {
    template_id: Id(),
    contact_id: Id(),
    may_enroll: Type.Boolean({ description: 'Whether an enrollment would be accepted now' }),
    rule: Type.Optional(OneOf(refusals, 'The first rule that refuses')),
    detail: Text(500),
    is_holdout: Type.Boolean({ description: 'Whether an enrollment would be, or is, held back' }),
    rules: Type.Array(
      Type.Object({
        rule: OneOf(refusals),
        refuses: Type.Boolean(),
        detail: Text(500),
      }),
      { description: 'Every rule of entry, in their order' },
    ),
    journey_id: Type.Optional(Id('The latest journey of the contact in the template')),
    journey_status: Type.Optional(OneOf(journeyStatuses)),
    exit_reason: Type.Optional(OneOf(exitReasons)),
    messages: Type.Array(
      Type.Object({
        message_id: Id(),
        name: Type.Optional(Text(120, 'Needs partner:messages:read')),
        state: OneOf(
          ['waiting', 'decided', 'not_due'],
          'decided: sent or skipped; not_due: it has not been requested yet',
        ),
        due_at: Type.Optional(Timestamp()),
        delivery_id: Type.Optional(Id()),
        delivery_status: Type.Optional(Text(40)),
        skip_reason: Type.Optional(Text(40)),
      }),
      { description: 'The messages that the latest journey sends' },
    ),
  },
  { title: 'enrollment_explanation' },
);

export const journeyListFields = {
  enrolled_at: { type: 'timestamp', filter: true, sort: true },
  updated_at: { type: 'timestamp', filter: true, sort: true },
  last_engaged_at: { type: 'timestamp', sort: true, nullable: true },
  deadline_at: { type: 'timestamp', sort: true, nullable: true },
  template_id: { type: 'id', filter: true },
  contact_id: { type: 'id', filter: true },
  status: { type: 'enum', values: journeyStatuses, filter: true },
  enrolled_via: { type: 'enum', values: enrollmentSources, filter: true },
  cohort_id: { type: 'id', filter: true },
  is_holdout: { type: 'boolean', filter: true },
  completed_at: { type: 'timestamp', filter: true },
} as const satisfies Record<string, ListField>;
