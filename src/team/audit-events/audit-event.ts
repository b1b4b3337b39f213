import { Type } from 'typebox';
import { Count, Id, Timestamp } from '../../platform/schema/fields.ts';
import type { ListField } from '../../platform/lists/declaration.ts';

/** A line of the audit trail; it never changes. */
export const AuditEvent = Type.Object(
  {
    id: Id(),
    type: Type.Literal('audit_event'),
    team_id: Id(),
    action: Type.String({ description: '<resource type>.<verb>, such as user.suspended' }),
    resource_type: Type.String(),
    resource_id: Id(),
    changed_fields: Type.Array(Type.String(), {
      description: 'Names of the fields that changed, of something new those that were written',
    }),
    client_id: Type.Optional(Id('The client whose token was used; absent where none acted')),
    actor: Type.Optional(
      Type.String({ description: 'The operator of the service who acted, as `<user>@<host>`' }),
    ),
    request_id: Type.String({
      description: 'X-Request-Id of the request, which its caller may choose',
    }),
    server_request_id: Type.Optional(Id('The id that the service gave the request')),
    source_ip: Type.Optional(Type.String({ description: 'Address of the client' })),
    user_agent: Type.Optional(Type.String({ description: 'User-Agent, cut to 200 characters' })),
    reason: Type.Optional(
      Type.String({
        description:
          'For refused requests: the error code of the refusal. For suspensions, and changes of ' +
          'templates by an operator: the reason that the operator gave',
      }),
    ),
    occurrence_count: Type.Optional(
      Count('For refused requests: how many of the client there were within the minute'),
    ),
    item_count: Type.Optional(
      Count('For bulk actions, downloads and counted reads: the number of items or rows'),
    ),
    occurred_at: Timestamp(),
  },
  { title: 'audit_event' },
);

const equality = ['eq', 'neq', 'in', 'nin'] as const;

export const auditEventListFields = {
  occurred_at: { type: 'timestamp', filter: true, sort: true },
  action: { type: 'text', filter: equality },
  resource_type: { type: 'text', filter: equality },
  resource_id: { type: 'id', filter: equality },
  client_id: { type: 'id', filter: equality },
  request_id: { type: 'text', filter: equality },
  source_ip: { type: 'text', filter: ['eq', 'in'] },
} as const satisfies Record<string, ListField>;
