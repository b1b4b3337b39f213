import { Type } from 'typebox';
import { Count, Id, Timestamp } from '../../platform/schema/fields.ts';
import type { ListField } from '../../platform/lists/declaration.ts';

/** A request of the team, as the log keeps it for seven days. */
export const LoggedRequest = Type.Object(
  {
    id: Id(),
    type: Type.Literal('logged_request'),
    team_id: Id(),
    client_id: Id('The client whose token was used'),
    request_id: Type.String({ description: 'X-Request-Id of the request' }),
    server_request_id: Type.Optional(Id('The id that the service gave the request')),
    source_ip: Type.Optional(Type.String({ description: 'Address of the client' })),
    user_agent: Type.Optional(Type.String({ description: 'User-Agent, cut to 200 characters' })),
    occurred_at: Timestamp(),
    method: Type.String(),
    operation: Type.String({ description: 'Operation id' }),
    path: Type.String(),
    query: Type.Optional(
      Type.String({ description: 'Parameters; texts, and values of persons, by their length' }),
    ),
    status: Type.Integer(),
    error_codes: Type.Array(Type.String()),
    duration_ms: Count(),
    request_bytes: Count(),
    response_bytes: Count(),
    contact_ids: Type.Optional(
      Type.Array(Id(), { description: 'Contacts that the path, the body or the answer names' }),
    ),
    request_body: Type.Optional(
      Type.String({
        description: 'JSON cut to 2048 characters; texts, and all values of persons, by their form',
      }),
    ),
    response_body: Type.Optional(
      Type.String({
        description: 'JSON cut to 2048 characters; texts, and all values of persons, by their form',
      }),
    ),
  },
  { title: 'logged_request' },
);

const equality = ['eq', 'neq', 'in', 'nin'] as const;

export const loggedRequestFields = {
  occurred_at: { type: 'timestamp', filter: true, sort: true },
  request_id: { type: 'text', filter: ['eq', 'in'] },
  operation: { type: 'text', filter: equality },
  method: { type: 'text', filter: equality },
  client_id: { type: 'id', filter: equality },
  status: { type: 'integer', filter: ['eq', 'neq', 'in', 'nin', 'lt', 'lte', 'gt', 'gte'] },
  error_codes: { type: 'text_array', filter: ['contains'] },
} as const satisfies Record<string, ListField>;
