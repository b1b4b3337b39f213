import { eventType } from '../platform/events/event-type.ts';
import { Journey } from './journey.ts';

export const journeyEnrolled = eventType(
  'journey.enrolled',
  'A contact was enrolled in a template.',
  Journey,
);
export const journeyStarted = eventType(
  'journey.started',
  'A journey started; its first steps are planned.',
  Journey,
);
const journeyCompleted = eventType(
  'journey.completed',
  'A journey ended with its objectives completed.',
  Journey,
);
const journeyExited = eventType(
  'journey.exited',
  'A journey ended early; exit_reason says why.',
  Journey,
);
const journeyExpired = eventType(
  'journey.expired',
  'A journey ended because its template expired.',
  Journey,
);
const journeyCanceled = eventType(
  'journey.canceled',
  'A journey was canceled by a client.',
  Journey,
);
const journeyFailed = eventType(
  'journey.failed',
  'A journey failed because it cannot continue.',
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
