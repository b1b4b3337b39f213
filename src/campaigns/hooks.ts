import { createHook } from '../platform/events/hook.ts';
import type { SendingConfig } from '../platform/config.ts';
import type { Problem } from '../platform/http/errors.ts';
import type { TemplateRow } from './templates/queries.ts';

/** A template was launched. */
export const templateLaunched = createHook<TemplateRow>('templateLaunched');

/** A template changed so that its journeys are to be started, moved or ended. */
export const journeysOutdated = createHook<TemplateRow>('journeysOutdated');

/** A sender that a client writes into a text message. */
export interface WrittenSender {
  sender: string;
  sending: SendingConfig;
  /** Handlers add the problem of a sender that the team may not use. */
  problems: Problem[];
}

/** A text message is to be stored with a sender. */
export const smsSenderWritten = createHook<WrittenSender>('smsSenderWritten');
