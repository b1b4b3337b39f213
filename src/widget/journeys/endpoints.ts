import { csrfTokenOf, readSessionCookie } from '../../platform/auth/session-secret.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { widgetInstances } from '../widget-instances/queries.ts';
import { findSession } from '../sessions/queries.ts';
import { recipientOf } from '../recipient.ts';
import { RecipientJourney, RecipientPage } from './journey.ts';
import { canVerify, pageOf, renderJourney, renderOnePage, viewOf, widgetOf } from './render.ts';

const tag = 'Recipients';
const path = '/v2/widget/journeys/{journey_id}';
const scope = 'widget:journey:render';

export const getRecipientJourney = endpoint({
  id: 'getRecipientJourney',
  method: 'GET',
  path,
  summary: 'Get the data that a page needs to show a recipient their journey',
  description:
    'Returns the journey of the recipient with the pages to show. Pages that need a known ' +
    'recipient are marked as locked. It also returns the CSRF token where the cookie is the ' +
    'credential.',
  tag,
  scope,
  rateClass: 'widget',
  response: RecipientJourney,
  isLogged: false,
  async handle({ sql, teamId, principal, params, request, services }) {
    const recipient = recipientOf(principal);
    const view = await viewOf(sql, services, teamId, recipient, params.journey_id);
    const session = await findSession(sql, teamId, recipient.sessionId);
    const secret = readSessionCookie(request.headers);
    return {
      ...renderJourney(view),
      session: {
        expires_at: session?.expires_at,
        // Only pages that the widget admits can read the response.
        csrf_token: secret === undefined ? undefined : csrfTokenOf(secret),
        assurance: view.assurance,
        can_verify: canVerify(view),
      },
    };
  },
});

export const getRecipientPage = endpoint({
  id: 'getRecipientPage',
  method: 'GET',
  path: `${path}/pages/{page_id}`,
  summary: 'Get a page as the recipient sees it',
  description:
    'Returns one page of the journey as the recipient sees it, with the widget that it ' +
    'embeds. A page that the recipient may not see yet is refused. Answer an identity ' +
    'challenge to open locked pages.',
  tag,
  scope,
  rateClass: 'widget',
  response: RecipientPage,
  answerHeaders: ['ETag'],
  isLogged: false,
  async handle({ sql, teamId, principal, params, services }) {
    const recipient = recipientOf(principal);
    const view = await viewOf(sql, services, teamId, recipient, params.journey_id);
    const page = pageOf(view, params.page_id);
    const { widget_instance_id: id } = page;
    const widget = id === null ? undefined : await widgetInstances.find(sql, teamId, id);
    const isShown = widget?.is_active === true && !widget.is_archived;
    return {
      ...(await renderOnePage(view, page)),
      widget: isShown ? widgetOf(widget) : undefined,
    };
  },
});

export const recipientJourneyEndpoints = [getRecipientJourney, getRecipientPage];
