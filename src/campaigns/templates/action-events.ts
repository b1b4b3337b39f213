import type { EventType } from '../../platform/events/event-type.ts';
import {
  templateArchived,
  templateExpired,
  templateLaunchFailed,
  templateLaunched,
  templateLocked,
  templatePaused,
  templateResumed,
  templateScheduled,
  templateUnarchived,
  templateUpdated,
} from '../events.ts';
import type { TemplateAction } from './rules.ts';

/** The event that each action records. */
export const eventOf: Readonly<Record<TemplateAction, EventType>> = {
  schedule: templateScheduled,
  unschedule: templateUpdated,
  launch: templateLaunched,
  fail_launch: templateLaunchFailed,
  pause: templatePaused,
  resume: templateResumed,
  expire: templateExpired,
  archive: templateArchived,
  unarchive: templateUnarchived,
  lock: templateLocked,
  unlock: templateUpdated,
};
