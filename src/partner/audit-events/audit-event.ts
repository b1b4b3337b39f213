import { Type } from 'typebox';
import { Id, Timestamp } from '../../fields.ts';
import type { ListField } from '../../listing/declaration.ts';

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
    client_id: Id('The client whose token was used'),
    request_id: Type.String({ description: 'X-Request-Id of the request' }),
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
} as const satisfies Record<string, ListField>;
