import { landingPageEvents, templateEvents } from '../campaigns/events.ts';
import { cohortEvents } from '../cohorts/events.ts';
import { accountEvents, contactEvents, legalHoldEvents } from '../contacts/events.ts';
import { customEvents, objectiveEvents, widgetEvents } from '../engagement/events.ts';
import { inboundEvents } from '../inbound/events.ts';
import { journeyEvents } from '../journeys/events.ts';
import { messageEvents, sendingProviderEvents } from '../messaging/events.ts';
import { exportEvents, runEvents, sftpEvents } from '../operations/events.ts';
import { byName } from '../platform/events/event-type.ts';
import type { EventType } from '../platform/events/event-type.ts';
import { registerEventTypes } from '../platform/events/registered-types.ts';
import { sendingDomainEvents, teamEvents, userEvents } from '../team/events.ts';
import { webhookEvents } from '../webhooks/events.ts';
import type { EventFamily } from '../webhooks/read-scopes.ts';

/** Every outbound event type by its name, in the order of the documents. ADR 32. */
export const eventTypes = byName([
  ...contactEvents,
  ...accountEvents,
  ...legalHoldEvents,
  ...objectiveEvents,
  ...templateEvents,
  ...journeyEvents,
  ...userEvents,
  ...landingPageEvents,
  ...cohortEvents,
  ...sftpEvents,
  ...messageEvents,
  ...widgetEvents,
  ...customEvents,
  ...inboundEvents,
  ...runEvents,
  ...exportEvents,
  ...teamEvents,
  ...sendingDomainEvents,
  ...sendingProviderEvents,
  ...webhookEvents,
] satisfies readonly EventType<`${EventFamily}.${string}`>[]);

// When this file is loaded, so that every process that imports it knows all types.
registerEventTypes(Object.values<EventType>(eventTypes));
