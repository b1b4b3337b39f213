import { newContact } from './contacts.ts';
import { hasExcluded } from './enrolled.ts';
import { insertDelivery } from './messages.ts';
import { newRunOf } from './operations.ts';
import { create } from './recipe.ts';
import type { Make, Owner, Params, Recipes } from './recipe.ts';
import { launchedTemplate } from './templates.ts';

const path = '/v2/partner/journeys';
const templates = '/v2/partner/templates';

const enroll = (team: Owner, template: string, contact_id: string) =>
  create(team, `${templates}/${template}/enrollments`, { contact_id });
const newJourney: Make = async (team, params) =>
  enroll(team, await launchedTemplate(team, params), await newContact(team, params));
const pausedJourney: Make = async (team, params) => {
  const id = await newJourney(team, params);
  await create(team, `${path}/${id}/pause`);
  return id;
};
/** Says that a journey was sent something. */
const sendTo = (team: Owner, journey_id: string) => insertDelivery(team, { journey_id });
const see = async (team: Owner, { id = '' }: Params) => {
  const { body } = await team.get(`${path}/${id}`);
  const { contact_id, template_id } = body;
  const event = { kind: 'page.viewed', contact_id, template_id, journey_id: id };
  return create(team, '/v2/partner/engagement-events', { events: [event] });
};

export const journeyRecipes: Recipes = {
  places: {
    '/v2/partner/journeys/{id}': newJourney,
    '/v2/partner/templates/{id}/enrollments/{contact_id}': newContact,
    '/v2/partner/templates/{id}/enrollment-executions/{execution_id}':
      newRunOf('templates.enroll_cohort'),
  },
  operations: {
    enrollInTemplate: {
      target: launchedTemplate,
      body: async (team, params) => ({ contact_id: await newContact(team, params) }),
      furtherScopes: [
        {
          scope: 'partner:cohorts:read',
          body: async (team) => ({
            cohort_id: await create(team, '/v2/partner/cohorts', { name: 'List', kind: 'static' }),
          }),
        },
      ],
      scenes: [hasExcluded],
    },
    getJourneyTimeline: { shown: see },
    listJourneys: {
      shown: async (team, params) => sendTo(team, await newJourney(team, params)),
    },
    listTemplateJourneys: {
      target: launchedTemplate,
      shown: async (team, { id = '' }) =>
        sendTo(team, await enroll(team, id, await newContact(team, {}))),
    },
    listContactJourneys: {
      shown: async (team, { id = '' }) =>
        sendTo(team, await enroll(team, await launchedTemplate(team, {}), id)),
    },
    resumeJourney: { target: pausedJourney },
  },
};
