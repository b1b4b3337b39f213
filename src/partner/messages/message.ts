import { Type } from 'typebox';
import { Count, Email, Id, OneOf, Text, createBody, resource } from '../../fields.ts';
import type { ListDeclaration } from '../../listing/declaration.ts';

const channels = ['email', 'sms', 'push'] as const;
const statuses = ['draft', 'active', 'archived'] as const;
const purposes = ['marketing', 'transactional', 'servicing'] as const;

/** A step of a template: what is sent to its recipients. */
export const Message = resource('message', {
  template_id: Id(),
  name: Text(120),
  channel: OneOf([...channels]),
  status: OneOf([...statuses], 'Active once its template is launched'),
  purpose: OneOf([...purposes], 'Marketing is sent with consent only'),
  position: Count('Order within the template, from 0'),
  from_email: Type.Optional(Email()),
  list_unsubscribe: Type.Boolean({
    description: 'Whether an e-mail carries one-click unsubscribe (RFC 8058)',
  }),
});

export const MessageCreate = createBody(
  Message,
  ['name', 'channel'],
  ['purpose', 'position', 'from_email', 'list_unsubscribe'],
);

/** Messages at most of a template. */
export const maxMessages = 50;

export const messageFields: ListDeclaration['fields'] = {
  position: { type: 'integer', filter: true, sort: true },
  inserted_at: { type: 'timestamp', filter: true, sort: true },
  updated_at: { type: 'timestamp', filter: true, sort: true },
  name: { type: 'text', filter: true, sort: true },
  channel: { type: 'enum', values: channels, filter: true },
  status: { type: 'enum', values: statuses, filter: true },
  purpose: { type: 'enum', values: purposes, filter: true },
};
