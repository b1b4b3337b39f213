import { eventType } from '../platform/events/event-type.ts';
import { LandingPage } from './landing-pages/landing-page.ts';
import { FailedTemplate, Template } from './templates/template.ts';

export const templateCreated = eventType(
  'template.created',
  'A template was created or duplicated.',
  Template,
);
export const templateUpdated = eventType(
  'template.updated',
  'A template, its pages or its messages were changed, or it was unscheduled or unlocked.',
  Template,
  { previous: true },
);
export const templateScheduled = eventType(
  'template.scheduled',
  'A template was scheduled to launch.',
  Template,
);
export const templateLaunched = eventType(
  'template.launched',
  'A template was launched.',
  Template,
);
export const templateLaunchFailed = eventType(
  'template.launch_failed',
  'A scheduled launch failed because the template was not complete, or its client may launch ' +
    'nothing; it is a draft again.',
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
  'A template expired, at its deadline or by a request.',
  Template,
);
export const templateArchived = eventType(
  'template.archived',
  'A template was archived.',
  Template,
);
export const templateUnarchived = eventType(
  'template.unarchived',
  'A template was unarchived.',
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
  'A landing page was created or duplicated.',
  LandingPage,
);
export const landingPageUpdated = eventType(
  'landing_page.updated',
  'A landing page was changed or unarchived.',
  LandingPage,
  { previous: true },
);
export const landingPagePublished = eventType(
  'landing_page.published',
  'A landing page was published or republished.',
  LandingPage,
);
export const landingPageUnpublished = eventType(
  'landing_page.unpublished',
  'A landing page was unpublished.',
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
