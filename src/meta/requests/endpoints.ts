import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import { requestSource } from './queries.ts';
import { LoggedRequest, loggedRequestFields } from './request.ts';

export const listRequests = listEndpoint({
  id: 'listRequests',
  path: '/v2/meta/requests',
  summary: 'List the API requests of the team of the last seven days, newest first',
  description:
    'Returns the requests of the team in the last seven days, the latest first, each within a ' +
    'second of its answer. Texts, secrets and all values of persons are stored by their form ' +
    'only, bodies are cut to 2,048 characters, and rows that name an erased contact are ' +
    'deleted. Filter by request_id to look up the id of an error.',
  tag: 'Meta',
  scope: 'meta:requests:read',
  audit: { counted: 'logged_request.read' },
  isLogged: false,
  item: LoggedRequest,
  fields: loggedRequestFields,
  defaultSort: '-occurred_at',
  source: ({ teamId }) => requestSource(teamId),
});

export const requestEndpoints = [listRequests];
