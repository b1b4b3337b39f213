import { eventType } from '../platform/events/event-type.ts';
import { CustomEvent, EngagementEvent } from './engagement-events/engagement-event.ts';
import { ObjectiveCompletion } from './completions/completion.ts';

export const objectiveCompleted = eventType(
  'objective.completed',
  'A contact completed an objective.',
  ObjectiveCompletion,
);
export const objectiveVoided = eventType(
  'objective.voided',
  'A completion was voided.',
  ObjectiveCompletion,
  {
    previous: true,
  },
);

export const objectiveEvents = [objectiveCompleted, objectiveVoided];

export const widgetSubmitted = eventType(
  'widget.submitted',
  'A visitor submitted a form, a choice or an enrollment of a widget or landing page.',
  EngagementEvent,
);

export const widgetEvents = [widgetSubmitted];

/** Stands for the event types that teams define. */
export const customEvent = eventType(
  'custom.*',
  'An event of a type that the team has defined; its type is the name of that type.',
  CustomEvent,
);

export const customEvents = [customEvent];
