import { eventType } from '../platform/events/event-type.ts';
import { LandingPage } from './landing-pages/landing-page.ts';
import { FailedTemplate, Template } from './templates/template.ts';

export const templateCreated = eventType(
  'template.created',
  'A template was created, or made as a copy.',
  Template,
);
export const templateUpdated = eventType(
  'template.updated',
  'A template was changed, unscheduled or unlocked, or its pages or messages were.',
  Template,
  { previous: true },
);
export const templateScheduled = eventType(
  'template.scheduled',
  'A template was given a time to launch.',
  Template,
);
export const templateLaunched = eventType(
  'template.launched',
  'A template was launched.',
  Template,
);
export const templateLaunchFailed = eventType(
  'template.launch_failed',
  'The time to launch came, but the template was not complete; it is a draft again.',
  FailedTemplate,
);
export const templatePaused = eventType('template.paused', 'A template was paused.', Template);
export const templateResumed = eventType(
  'template.resumed',
  'A paused template was resumed.',
  Template,
);
export const templateExpired = eventType(
  'template.expired',
  'A template expired, by its deadline or by request.',
  Template,
);
export const templateArchived = eventType(
  'template.archived',
  'A template was archived.',
  Template,
);
export const templateUnarchived = eventType(
  'template.unarchived',
  'A template was taken out of the archive.',
  Template,
);
export const templateLocked = eventType(
  'template.locked',
  'A template was locked against edits.',
  Template,
);

export const templateEvents = [
  templateCreated,
  templateUpdated,
  templateScheduled,
  templateLaunched,
  templateLaunchFailed,
  templatePaused,
  templateResumed,
  templateExpired,
  templateArchived,
  templateUnarchived,
  templateLocked,
];

export const landingPageCreated = eventType(
  'landing_page.created',
  'A landing page was created, or made as a copy.',
  LandingPage,
);
export const landingPageUpdated = eventType(
  'landing_page.updated',
  'A landing page was changed, or taken out of the archive.',
  LandingPage,
  { previous: true },
);
export const landingPagePublished = eventType(
  'landing_page.published',
  'A landing page was published, or again.',
  LandingPage,
);
export const landingPageUnpublished = eventType(
  'landing_page.unpublished',
  'A landing page was taken down.',
  LandingPage,
);
export const landingPageArchived = eventType(
  'landing_page.archived',
  'A landing page was archived.',
  LandingPage,
);

export const landingPageEvents = [
  landingPageCreated,
  landingPageUpdated,
  landingPagePublished,
  landingPageUnpublished,
  landingPageArchived,
];
