import { Type } from 'typebox';
import { endpoint } from '../../platform/http/endpoint.ts';
import { fail } from '../../platform/http/errors.ts';
import { Id, Timestamp } from '../../platform/schema/fields.ts';
import { signalJob } from '../../platform/jobs/queries.ts';
import { journeyJob } from '../../../workflows/jobs.ts';
import { checkQuota } from '../../platform/resources/quota.ts';
import { lockJourney } from '../queries.ts';
import { isOpen } from '../rules.ts';
import { countWatches, isWatched, unwatch, watch } from './queries.ts';
import { maxWatches, watchDays } from './rules.ts';

const tag = 'Journeys';
const path = '/v2/partner/journeys/{id}/watch';
const scope = 'partner:journeys:write';

const JourneyWatch = Type.Object(
  {
    journey_id: Id(),
    watched_until: Timestamp('The watch ends then, or with the journey'),
  },
  { title: 'journey_watch' },
);

const watchJourney = endpoint({
  id: 'watchJourney',
  method: 'POST',
  path,
  summary: 'Start a watch of a journey, which shows operators each of its steps',
  description:
    'Gives an open journey a workflow of its own, by which the operators of the service can ' +
    'follow it: for questions such as "why did this person get no message?". The journey itself ' +
    `goes on as before. A watch ends with its journey, after ${String(watchDays)} days, or when ` +
    'it is deleted; a repeated request prolongs it. A team can watch ' +
    `${String(maxWatches)} journeys at a time.`,
  errors: ['journey_not_open', 'quota_exceeded'],
  tag,
  scope,
  rateClass: 'execute',
  audit: 'journey.watched',
  response: JourneyWatch,
  async handle({ sql, teamId, params }) {
    const journey = await lockJourney(sql, teamId, params.id);
    if (!isOpen(journey.status)) {
      throw fail('journey_not_open', {
        detail: `The journey is ${journey.status}.`,
        meta: { resource: 'journey', state: journey.status },
      });
    }
    if (!(await isWatched(sql, journey))) {
      await checkQuota(sql, teamId, {
        name: 'journey_watches',
        of: 'watched journeys',
        limit: maxWatches,
        count: countWatches,
      });
    }
    const watchedUntil = await watch(sql, journey);
    await signalJob(sql, journeyJob, journey.id, teamId);
    return { journey_id: journey.id, watched_until: watchedUntil };
  },
});

const unwatchJourney = endpoint({
  id: 'unwatchJourney',
  method: 'DELETE',
  path,
  summary: 'End the watch of a journey',
  description:
    'Ends the watch of a journey; the journey continues. A journey that is not watched ' +
    'is left unchanged.',
  tag,
  scope,
  rateClass: 'execute',
  audit: 'journey.unwatched',
  status: 204,
  async handle({ sql, teamId, params }) {
    const journey = await lockJourney(sql, teamId, params.id);
    if (await unwatch(sql, journey)) await signalJob(sql, journeyJob, journey.id, teamId);
    return undefined;
  },
});

export const journeyWatchEndpoints = [watchJourney, unwatchJourney];
