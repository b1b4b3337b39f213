import { listEndpoint } from '../../listing/list-endpoint.ts';
import { requestSource } from './queries.ts';
import { LoggedRequest, loggedRequestFields } from './request.ts';

export const listRequests = listEndpoint({
  id: 'listRequests',
  path: '/v2/meta/requests',
  summary: 'List what the team asked for in the last seven days, the latest first',
  tag: 'Meta',
  scope: 'meta:requests:read',
  isLogged: false,
  item: LoggedRequest,
  fields: loggedRequestFields,
  defaultSort: '-occurred_at',
  source: ({ teamId }) => requestSource(teamId),
});

export const requestEndpoints = [listRequests];
