import { eventType } from '../platform/events/event-type.ts';
import { Journey } from './journey.ts';

export const journeyEnrolled = eventType(
  'journey.enrolled',
  'A contact was enrolled in a template.',
  Journey,
);
export const journeyStarted = eventType(
  'journey.started',
  'A journey has begun: its first steps are known.',
  Journey,
);
const journeyCompleted = eventType(
  'journey.completed',
  'A journey ended with its objectives completed.',
  Journey,
);
const journeyExited = eventType(
  'journey.exited',
  'A journey ended before; exit_reason says why.',
  Journey,
);
const journeyExpired = eventType('journey.expired', 'A journey ended with its template.', Journey);
const journeyCanceled = eventType(
  'journey.canceled',
  'A journey was canceled by a client.',
  Journey,
);
const journeyFailed = eventType(
  'journey.failed',
  'A journey ended since it cannot go on.',
  Journey,
);

export const journeyEvents = [
  journeyEnrolled,
  journeyStarted,
  journeyCompleted,
  journeyExited,
  journeyExpired,
  journeyCanceled,
  journeyFailed,
];
