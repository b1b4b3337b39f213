import { Type } from 'typebox';
import { Id, Timestamp } from '../../platform/schema/fields.ts';
import type { ListField } from '../../platform/lists/declaration.ts';

/** A line of the read log; it never changes. */
export const ContactRead = Type.Object(
  {
    id: Id(),
    type: Type.Literal('contact_read'),
    team_id: Id(),
    contact_id: Id(),
    client_id: Id('The client that got the answer'),
    operation: Type.String({ description: 'The operationId of the endpoint' }),
    server_request_id: Type.Optional(Id('The id that the service gave the request')),
    read_at: Timestamp('Time of the first such answer within an hour of the clock (UTC)'),
    expires_at: Timestamp('The line is deleted after this time'),
  },
  { title: 'contact_read' },
);

const few = ['eq', 'in'] as const;

export const contactReadFields = {
  read_at: { type: 'timestamp', filter: ['lt', 'lte', 'gt', 'gte'], sort: true },
  contact_id: { type: 'id', filter: few },
  client_id: { type: 'id', filter: few },
} as const satisfies Record<string, ListField>;
