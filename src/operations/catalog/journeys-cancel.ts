import { Type } from 'typebox';
import { Id } from '../../platform/schema/fields.ts';
import { cancel, checkAction } from '../../journeys/actions.ts';
import { Journey } from '../../journeys/journey.ts';
import { lockJourney } from '../../journeys/queries.ts';
import { oneByOne, operation } from '../operation-type.ts';

export const journeysCancel = operation({
  kind: 'journeys.cancel',
  category: 'journeys',
  summary: 'Cancel a journey permanently',
  notes: 'A journey that is canceled already stays as it is; one that ended otherwise fails.',
  idempotencyMode: 'natural',
  failureMode: 'partial_ok',
  bulkThreshold: 100,
  executionMode: 'sync',
  scopes: ['partner:journeys:write'],
  outputScope: 'partner:journeys:read',
  rateLimitClass: 'execute',
  audit: 'journey.canceled',
  input: Type.Object({ journey_id: Id() }, { additionalProperties: false }),
  output: Journey,
  apply: oneByOne(async ({ sql, teamId }, { journey_id }) => {
    const before = await lockJourney(sql, teamId, journey_id);
    if (before.status === 'canceled') return { status: 'unchanged', row: before };
    checkAction(before, 'cancel');
    return { status: 'updated', row: await cancel(sql, before) };
  }),
});
