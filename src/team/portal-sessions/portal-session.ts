import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Id, OneOf, Text, Timestamp, resource } from '../../platform/schema/fields.ts';
import type { RowOf } from '../../platform/schema/fields.ts';
import { portalPages } from './rules.ts';

/** Time in which a link opens its session, in seconds. */
export const linkLifetimeSeconds = 300;
/** Longest life of a session, in seconds: that of a token. */
const maxPortalSeconds = 3_600;
const maxPortalOrigins = 10;
const maxPortalScopes = 100;

const Scopes = Type.Array(Type.String({ maxLength: 100 }), {
  minItems: 1,
  maxItems: maxPortalScopes,
  uniqueItems: true,
  description: 'Rights of the pages: scopes of the token that makes the session',
});
const Origins = Type.Array(Text(255), {
  maxItems: maxPortalOrigins,
  uniqueItems: true,
  description:
    'Pages that may show the session in a frame: https origins such as https://www.example.com',
});
const Label = Text(120, 'A name for people who read the list of sessions');
const Page = OneOf(portalPages, 'The page that the link opens');

export const PortalSession = resource('portal_session', {
  label: Type.Optional(Label),
  page: Page,
  scopes: Scopes,
  allowed_origins: Origins,
  client_id: Id('The client that made the session'),
  link_expires_at: Timestamp('The link opens the session once, until then'),
  expires_at: Timestamp('The pages stop to show data then'),
  opened_at: Type.Optional(Timestamp('When the link was opened')),
});

/** The answer that makes a session is the only one with its link. */
export const NewPortalSession = Type.Object(
  {
    ...PortalSession.properties,
    url: Type.String({
      format: 'uri',
      description:
        'The link, to be opened once. Its secret is after the #, and is not shown again.',
    }),
  },
  { title: 'new_portal_session' },
);

export const PortalSessionCreate = Type.Object(
  {
    scopes: Type.Optional(Scopes),
    page: Type.Optional(Page),
    label: Type.Optional(Label),
    allowed_origins: Type.Optional(Origins),
    expires_in_seconds: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: maxPortalSeconds,
        description: 'Life of the session in seconds; 1,800 if absent',
      }),
    ),
  },
  { title: 'portal_session_create', additionalProperties: false },
);
export type PortalSessionCreate = Static<typeof PortalSessionCreate>;

export const PortalSessionOpen = Type.Object(
  {
    secret: Type.String({
      minLength: 43,
      maxLength: 43,
      description: 'The part of the link after the #',
    }),
  },
  { title: 'portal_session_open', additionalProperties: false },
);

export const OpenedPortalSession = Type.Object(
  {
    access_token: Type.String({
      description: 'The token of the pages, with the scopes of the session',
    }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds' }),
    scope: Type.String({ description: 'Granted scopes separated by spaces' }),
    team_name: Type.String({ description: 'The name of the team' }),
    page: Page,
  },
  { title: 'opened_portal_session' },
);

export type PortalSessionRow = RowOf<typeof PortalSession>;
