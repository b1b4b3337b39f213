import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Id, Locale, OneOf, Text, Timestamp } from '../../../platform/schema/fields.ts';

/** Scopes of a widget token; the first suffices for reading. */
export const widgetScopes = ['widget:journey:render', 'widget:events:write'] as const;

/** For whom a token is, and what it may do. */
export const WidgetTokenRequest = Type.Object(
  {
    contact_id: Type.Optional(Id('The recipient; not needed for a widget of kind enrollment')),
    contact_unique_id: Type.Optional(Text(255, 'Instead of contact_id: the partner’s own key')),
    journey_id: Type.Optional(Id('The newest open one of the contact if absent')),
    template_id: Type.Optional(Id('The template, where the widget names none')),
    origin: Type.Optional(Text(255, 'The only page that may use it; one of allowed_origins')),
    scopes: Type.Optional(
      Type.Array(OneOf(widgetScopes), {
        minItems: 1,
        uniqueItems: true,
        description: 'Both if absent',
      }),
    ),
    locale: Type.Optional(Locale('The contact’s if absent')),
    assurance: Type.Optional(
      OneOf(
        ['none', 'authenticated'],
        'authenticated: your own login verifies the recipient, who answers no further question. It ' +
          'is written to the audit trail',
      ),
    ),
  },
  { additionalProperties: false },
);

export type WidgetTokenRequest = Static<typeof WidgetTokenRequest>;

export const WidgetToken = Type.Object(
  {
    access_token: Type.String({ description: 'dow_…' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds' }),
    expires_at: Timestamp(),
    scope: Type.String(),
    widget_instance_id: Id(),
    contact_id: Type.Optional(Id()),
    journey_id: Type.Optional(Id()),
  },
  { title: 'widget_token' },
);

export const WidgetTokenRevocation = Type.Object(
  {
    access_token: Type.Optional(
      Type.String({ maxLength: 8_192, description: 'One token; all of the widget if absent' }),
    ),
  },
  { additionalProperties: false },
);
