import type { ObjectiveRow } from '../queries.ts';
import type { NewCompletion } from './queries.ts';

export type Attributed = Pick<
  NewCompletion,
  'attribution' | 'journey_id' | 'template_id' | 'message_id'
>;

/** What led to a completion, found by whoever knows the journeys. */
export type Attribute = (completion: {
  teamId: string;
  contactId: string;
  completedAt: string;
  objective: Pick<ObjectiveRow, 'id' | 'attribution_window_days' | 'attribution_model'>;
}) => Promise<Attributed>;

/** Without journeys nothing leads to a completion: the contact came by itself. */
export const attributeToNobody: Attribute = () =>
  Promise.resolve({
    attribution: 'organic',
    journey_id: null,
    template_id: null,
    message_id: null,
  });
